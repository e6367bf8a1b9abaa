import type { PlaneAccess } from '@klutch/kit';

/** Sends a request that has to succeed, and returns the answer. A body of PATCH is applied, as `kubectl apply --server-side` does. */
export async function send<T>(plane: PlaneAccess, method: string, path: string, body?: object): Promise<T> {
  const isApply = method === 'PATCH';
  const answer = await plane.admin.request<T & { readonly message?: string }>(
    method,
    isApply ? `${path}?fieldManager=test&force=true` : path,
    { body, contentType: isApply ? 'application/apply-patch+yaml' : undefined },
  );
  if (answer.status < 300) return answer.body;
  throw new Error(`${method} ${path} is refused: ${answer.body.message}`);
}
