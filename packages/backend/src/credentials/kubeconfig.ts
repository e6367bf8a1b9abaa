import { isKubeError, parseKubeconfig, renderKubeconfig } from '@klutch/kube';
import type { ExternalAddress } from '../process/options.ts';

/** The kubeconfig of an app cluster, as the Go backend writes it: every entry is named `default`. */
export function kubeconfigOf(external: ExternalAddress, namespace: string, token: string): string {
  const { server, ca, serverName } = external;
  return renderKubeconfig({ server, ca, tlsServerName: serverName, namespace, user: { token } });
}

/** The token in a kubeconfig; undefined when there is none, or when it cannot be read. */
export function tokenIn(kubeconfig: string): string | undefined {
  try {
    const { auth } = parseKubeconfig(kubeconfig, { source: 'the kubeconfig of an app cluster', trust: 'foreign' });
    return auth.kind === 'token' ? auth.token : undefined;
  } catch (error) {
    if (isKubeError(error)) return undefined;
    throw error;
  }
}
