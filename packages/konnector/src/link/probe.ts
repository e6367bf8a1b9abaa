import { isKubeError, type KubeClient, type KubeErrorCode, Namespaces } from '@klutch/kube';

/** How a cluster answered when it was asked for the one object that tells who it is. */
export type ProbeAnswer =
  | { readonly is: 'ok'; readonly uid: string }
  | {
      /** `rejected`: it answers, but does not accept the credentials. `missing`: it has no such namespace. */
      readonly is: 'unreachable' | 'rejected' | 'missing';
      /** In a sentence, without secrets. */
      readonly problem: string;
    };

/** Asks for a Namespace, whose UID is the identity of whatever it stands for. Never rejects. */
export async function probeNamespace(
  client: KubeClient,
  name: string,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<ProbeAnswer> {
  try {
    const namespace = await client.resource(Namespaces).get({ name }, { ...options, traffic: 'control' });
    return { is: 'ok', uid: namespace.metadata.uid ?? '' };
  } catch (error) {
    if (isKubeError(error, 'KUBE_NOT_FOUND')) {
      return { is: 'missing', problem: `The cluster at ${client.transport.server} has no namespace ${name}.` };
    }
    const problem = isKubeError(error) ? error.message : 'An unexpected error occurred; the log has it.';
    return { is: isKubeError(error, ...refusals) ? 'rejected' : 'unreachable', problem };
  }
}

const refusals: KubeErrorCode[] = [
  'KUBE_UNAUTHORIZED',
  'KUBE_FORBIDDEN',
  'KUBE_CREDENTIALS_FAILED',
  'KUBE_TLS_CLIENT_REJECTED',
];
