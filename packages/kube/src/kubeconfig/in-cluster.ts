import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanToken } from '../auth/bearer-token.ts';
import { codeOf, fileProblem } from '../auth/file-problem.ts';
import { pemProblem } from '../auth/pem.ts';
import { KubeError } from '../errors/kube-error.ts';
import type { ClusterConfig } from './cluster-config.ts';

const SERVICE_ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The configuration Kubernetes gives to a pod: the API server from the environment, token and CA from the service
 * account's folder, where both are renewed while the pod runs. `undefined` outside of a pod; throws
 * `KUBE_CONFIG_UNREADABLE` in a pod whose service account is not mounted.
 */
export async function inClusterConfig(
  env: NodeJS.ProcessEnv = process.env,
  folder: string = SERVICE_ACCOUNT_FOLDER,
): Promise<ClusterConfig | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port) return undefined;
  await checkToken(join(folder, 'token'));
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    source: 'in-cluster',
    namespace: env.POD_NAMESPACE || (await readNamespace(join(folder, 'namespace'))),
    ca: await findCa(join(folder, 'ca.crt')),
    auth: { kind: 'tokenFile', path: join(folder, 'token') },
  };
}

async function checkToken(path: string): Promise<void> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const advice = 'Give the pod a service account and leave automountServiceAccountToken on, or name a kubeconfig.';
    throw new KubeError('KUBE_CONFIG_UNREADABLE', `in-cluster: the token ${path} ${fileProblem(cause)}. ${advice}`, {
      cause,
    });
  }
  if (cleanToken(text) !== undefined) return;
  throw new KubeError('KUBE_CONFIG_INVALID', `in-cluster: the file ${path} does not hold a token in one line.`);
}

async function readNamespace(path: string): Promise<string | undefined> {
  const text = await readOptional(path);
  return text?.trim() || undefined;
}

/** Without the file the server must be signed by a CA that Node knows, as for client-go. */
async function findCa(path: string): Promise<ClusterConfig['ca']> {
  const text = await readOptional(path);
  if (text === undefined) return undefined;
  const problem = pemProblem(text, 'certificate');
  if (problem) throw new KubeError('KUBE_CONFIG_INVALID', `in-cluster: the file ${path} ${problem}.`);
  return { from: 'file', path };
}

async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw new KubeError('KUBE_CONFIG_UNREADABLE', `in-cluster: the file ${path} ${fileProblem(cause)}.`, { cause });
  }
}
