import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { KlutchError } from '@klutch/api';
import { type Clock, type Logger, pause } from '@klutch/kube';

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
 * Has a server use new files when they change, without interrupting anybody; while they cannot be used, the old ones stay.
 * Resolves when the signal aborts.
 */
export async function followKeyPair(
  server: Pick<Server, 'setSecureContext'>,
  files: TlsFiles,
  loop: { readonly everyMs: number; readonly clock: Clock; readonly signal: AbortSignal; readonly log: Logger },
): Promise<void> {
  const { everyMs, clock, signal, log } = loop;
  let used = await readKeyPair(files).catch(() => undefined);
  let lastProblem: string | undefined;
  while (!signal.aborted) {
    await pause(clock, everyMs, signal);
    try {
      const found = await readKeyPair(files);
      lastProblem = undefined;
      if (found.cert === used?.cert && found.key === used.key) continue;
      server.setSecureContext({ ...found, minVersion: 'TLSv1.2' });
      used = found;
      log.info({}, 'uses a new certificate');
    } catch (error) {
      const problem = error instanceof Error ? error.message : 'unknown';
      if (problem !== lastProblem) log.warn({ reason: problem }, 'new certificate cannot be used; the old one stays');
      lastProblem = problem;
    }
  }
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
