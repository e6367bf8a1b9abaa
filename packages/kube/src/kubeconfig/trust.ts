import { KubeError } from '../errors/kube-error.ts';
import type { ConfigFile } from './config-file.ts';
import type { Place } from './place.ts';

/**
 * `local`: written by the user of this machine, who may run anything here anyway. `foreign`: received from elsewhere,
 * in a Secret or over HTTP; it must not make this process run a command, read a file or connect through a proxy.
 */
export type Trust = 'local' | 'foreign';

/**
 * Throws `KUBE_CONFIG_UNTRUSTED`, naming the field, when any entry of a foreign kubeconfig, used or not,
 * - runs a command (`exec`) or an `auth-provider`: code chosen by somebody else would run here;
 * - names a file: together with a server of the sender's choice it would hand our files, such as the token of our own
 *   service account, to the sender;
 * - names a `proxy-url`: it would send our requests through a host of the sender's choice, possibly inside our network.
 */
export function refuseUntrusted(file: ConfigFile): void {
  for (const cluster of file.clusters.values()) {
    refuse(cluster.certificateAuthority, 'names a file', 'Embed the certificate as certificate-authority-data.');
    refuse(cluster.proxyUrl, 'names a proxy', 'Remove it and connect directly.');
  }
  for (const user of file.users.values()) {
    refuse(user.exec, 'runs a command', 'Use a token or an embedded client certificate.');
    refuse(user.authProvider, 'runs an authentication provider', 'Use a token or an embedded client certificate.');
    refuse(user.tokenFile, 'names a file', 'Embed the token as token.');
    refuse(user.clientCertificate, 'names a file', 'Embed the certificate as client-certificate-data.');
    refuse(user.clientKey, 'names a file', 'Embed the key as client-key-data.');
  }
}

function refuse(field: { readonly place: Place } | undefined, does: string, instead: string): void {
  if (field === undefined) return;
  const why = 'which is not allowed in a kubeconfig that comes from elsewhere';
  throw new KubeError('KUBE_CONFIG_UNTRUSTED', `${String(field.place)}: ${does}, ${why}. ${instead}`);
}
