import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { KlutchError } from '@klutch/api';
import { follow, type FollowOptions } from '../process/follow.ts';

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Reads certificate and key. Throws `KLUTCH_USAGE`, naming the option, when one is missing or they do not fit together. */
export async function readKeyPair({ certFile, keyFile }: TlsFiles): Promise<KeyPair> {
  const cert = await read('--tls-cert-file', certFile);
  const key = await read('--tls-key-file', keyFile);
  const certificate = parsed('--tls-cert-file', 'certificate', () => new X509Certificate(cert));
  const privateKey = parsed('--tls-key-file', 'private key', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new KlutchError(
      'KLUTCH_USAGE',
      '--tls-key-file does not hold the key of the certificate in --tls-cert-file.',
    );
  }
  return { cert, key };
}

/**
 * Has a server that uses a key pair use new files when they change, without interrupting anybody; while they cannot be used,
 * the old ones stay. Resolves when the signal aborts.
 */
export function followKeyPair(
  server: Pick<Server, 'setSecureContext'>,
  used: KeyPair,
  files: TlsFiles,
  loop: Pick<FollowOptions<KeyPair>, 'everyMs' | 'clock' | 'signal' | 'log'>,
): Promise<void> {
  return follow(
    { value: used, read: () => readKeyPair(files) },
    {
      ...loop,
      what: 'certificate',
      isSame: (one, other) => one.cert === other.cert && one.key === other.key,
      onChange: (pair) => server.setSecureContext({ ...pair, minVersion: 'TLSv1.2' }),
    },
  ).stopped;
}

async function read(option: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new KlutchError('KLUTCH_USAGE', `${option}: ${file} cannot be read.`, { cause });
  }
}

/** What a parser says about a key is not repeated. */
function parsed<T>(option: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new KlutchError('KLUTCH_USAGE', `${option} holds no ${what} in PEM.`);
  }
}
