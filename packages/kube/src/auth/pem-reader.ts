import { isKubeError, KubeError } from '../errors/kube-error.ts';
import type { PemSource } from '../kubeconfig/cluster-config.ts';
import type { CredentialDeps } from './deps.ts';
import { fileProblem } from './file-problem.ts';
import { pemProblem } from './pem.ts';
import { watchedFile } from './watched-file.ts';

/**
 * A function that yields the certificates of `source`, read again when a file changed on disk. Meant for the CA of a
 * server. Throws `KUBE_CONFIG_UNREADABLE` when the file cannot be read and `KUBE_CONFIG_INVALID` when it holds something
 * else, unless it was good before: then the last good certificates stay in use.
 */
export function pemReader(source: PemSource, deps: Pick<CredentialDeps, 'now'> = {}): () => Promise<string> {
  if (source.from === 'data') return async () => source.pem;
  const { path } = source;
  const file = watchedFile(path, (text) => checkedCertificates(text, path), deps.now ?? Date.now);
  return async () => {
    try {
      return await file.current();
    } catch (cause) {
      if (isKubeError(cause)) throw cause;
      const message = `The certificate file ${path} ${fileProblem(cause)}. Provide it or correct the kubeconfig.`;
      throw new KubeError('KUBE_CONFIG_UNREADABLE', message, { cause });
    }
  };
}

function checkedCertificates(text: string, path: string): string {
  const problem = pemProblem(text, 'certificate');
  if (problem) throw new KubeError('KUBE_CONFIG_INVALID', `The file ${path} ${problem}.`);
  return text;
}
