import type { KubeError } from '../errors/kube-error.ts';
import type { PemSource } from '../kubeconfig/cluster-config.ts';
import type { Credentials, CredentialSource } from './credentials.ts';
import { credentialFileFailed, credentialsFailed } from './credentials-failed.ts';
import type { ResolvedDeps } from './deps.ts';
import { keyPairProblem } from './key-pair.ts';
import { type PemContent, pemProblem } from './pem.ts';
import { sharedRun } from './shared-run.ts';
import { watchedFile } from './watched-file.ts';

/** Certificate and key are two files, so a reader can catch a new one with an old one; the writer gets this many tries. */
const ATTEMPTS = 5;
const PAUSE_MS = 100;

/**
 * A client certificate and its key. Files are followed as they change on disk, and only a certificate and key that belong
 * together are ever handed out.
 */
export function certificateSource(
  auth: { readonly certificate: PemSource; readonly key: PemSource },
  deps: Pick<ResolvedDeps, 'now' | 'pause'>,
): CredentialSource {
  const certificateFile = pemPart(auth.certificate, 'certificate', deps.now);
  const keyFile = pemPart(auth.key, 'key', deps.now);
  const parts = [certificateFile, keyFile];
  const embedded = auth.certificate.from === 'data' && auth.key.from === 'data';
  let good: Credentials | undefined;

  async function load(): Promise<Credentials> {
    for (let attempt = 1; ; attempt += 1) {
      const [certificate, key] = await Promise.all([certificateFile.current(), keyFile.current()]);
      if (good?.certificate === certificate && good.key === key) return good;
      const problem = keyPairProblem(certificate, key);
      if (problem === undefined) return (good = { certificate, key });
      if (embedded || attempt === ATTEMPTS) throw unusable(auth, problem);
      await deps.pause(PAUSE_MS);
      for (const part of parts) part.invalidate();
    }
  }

  let read = sharedRun(load);
  return {
    current: () => read(),
    invalidate: () => {
      for (const part of parts) part.invalidate();
      // A run under way may already have looked into memory.
      read = sharedRun(load);
    },
  };
}

interface PemPart {
  current(): Promise<string>;
  invalidate(): void;
}

function pemPart(source: PemSource, content: PemContent, now: () => number): PemPart {
  if (source.from === 'data') return { current: async () => source.pem, invalidate: () => undefined };
  const { path } = source;
  const what = content === 'key' ? 'client key' : 'client certificate';
  const file = watchedFile(path, (text) => checkedPem(text, content, what, path), now);
  return {
    current: async () => {
      try {
        return await file.current();
      } catch (cause) {
        throw credentialFileFailed(what, path, cause);
      }
    },
    invalidate: () => file.invalidate(),
  };
}

function checkedPem(text: string, content: PemContent, what: string, path: string): string {
  const problem = pemProblem(text, content);
  if (problem) throw credentialsFailed(`The ${what} file ${path} ${problem}.`);
  return text;
}

function unusable(auth: { readonly certificate: PemSource; readonly key: PemSource }, problem: string): KubeError {
  const place = (source: PemSource) => (source.from === 'file' ? source.path : 'in the kubeconfig');
  const pair = `The client certificate (${place(auth.certificate)}) and key (${place(auth.key)})`;
  return credentialsFailed(`${pair} ${problem}. Provide a matching pair.`);
}
