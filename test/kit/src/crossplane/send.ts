import { KitError } from '../kit-error.ts';
import type { PlaneUser } from '../plane/user.ts';

/** Sends a request that has to succeed, and returns the object of the answer. */
export async function send<T = unknown>(
  user: PlaneUser,
  method: string,
  path: string,
  body?: object,
  contentType?: string,
): Promise<T> {
  const answer = await user.request<T & { readonly message?: string }>(method, path, { body, contentType });
  if (answer.status < 300) return answer.body;
  throw new KitError(
    'KLUTCH_KIT_START_FAILED',
    `${method} ${path} was answered with ${answer.status}: ${answer.body.message}`,
  );
}
