import { readFile } from 'node:fs/promises';
import { KlutchError } from '@klutch/api';
import type { ClusterConfig } from '@klutch/kube';
import { type Flags, usage } from './flags.ts';
import type { ExternalAddress } from './options.ts';
import { certificatesOf, urlOf } from './values.ts';

/**
 * How app clusters reach the control plane: as told, else as this process does. Nothing is handed out without a web
 * server, and then nothing needs to be told.
 */
export async function externalAddressFrom(
  flags: Flags,
  cluster: ClusterConfig,
  isHandedOut: boolean,
): Promise<ExternalAddress> {
  const address = flags.text('external-address');
  if (address === undefined && isHandedOut && cluster.source === 'in-cluster') {
    const why = 'app clusters cannot reach the address that pods know';
    throw usage(
      'external-address',
      `is required in a pod, since ${why}; give the URL of the API server as seen from outside`,
    );
  }
  if (address !== undefined && !address.startsWith('https://')) {
    throw usage('external-address', `must be a URL that begins with https://, not "${address}"`);
  }
  const file = flags.text('external-ca-file');
  const ca = file === undefined ? await ownCa(cluster) : await certificatesOf('external-ca-file', file);
  const serverName = flags.text('external-server-name') ?? (address === undefined ? cluster.tlsServerName : undefined);
  return {
    // As it was given: CLIs recognise their Secret by the very text.
    server: address === undefined ? cluster.server : checked(address),
    ...(ca ? { ca } : {}),
    ...(serverName ? { serverName } : {}),
  };
}

function checked(address: string): string {
  urlOf('external-address', address, false);
  return address;
}

/** In a pod the own certificates are in a file, which other clusters do not have. */
async function ownCa({ ca }: ClusterConfig): Promise<string | undefined> {
  if (ca === undefined) return undefined;
  if (ca.from === 'data') return ca.pem;
  try {
    return await readFile(ca.path, 'utf8');
  } catch (cause) {
    const message = `The certificates ${ca.path} of the control plane cannot be read; give a file with --external-ca-file.`;
    throw new KlutchError('KLUTCH_USAGE', message, { cause });
  }
}
