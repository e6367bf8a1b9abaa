import { createHash } from 'node:crypto';
import { annotations, appCluster as names, kubeconfigKey } from '@klutch/api';
import { isKubeError, type KubeClient, parseKubeconfig, type Secret, Secrets } from '@klutch/kube';
import type { RemoteCluster } from './remote-cluster.ts';

/** Where the credential of an app cluster is, or goes. */
export type SecretPlan =
  /** There is one for the same host and namespace. */
  | { readonly action: 'update'; readonly name: string; readonly isCurrent: boolean }
  /** Bindings name one that is gone, or holds nothing of use; it is made anew under its name. */
  | { readonly action: 'restore'; readonly name: string; readonly exists: boolean }
  | { readonly action: 'create' };

/** All Secrets of namespace `klutch-bind`. */
export async function bindSecrets(client: KubeClient, signal?: AbortSignal): Promise<readonly Secret[]> {
  const secrets: Secret[] = [];
  for await (const page of client.resource(Secrets).pages({ namespace: names.namespace, signal })) {
    secrets.push(...page.items);
  }
  return secrets;
}

/**
 * Pure: which Secret takes a credential. `referenced` are the names of Secrets that bindings of the wanted APIs refer to.
 */
export function planSecret(
  secrets: readonly Secret[],
  referenced: readonly string[],
  remote: RemoteCluster,
): SecretPlan {
  const same = secrets.filter((secret) => {
    const target = targetOf(secret);
    return target?.host === remote.host && target.namespace === remote.namespace;
  });
  const match = same.find(({ metadata: { name = '' } }) => referenced.includes(name)) ?? same[0];
  if (match?.metadata.name) {
    return { action: 'update', name: match.metadata.name, isCurrent: textOf(match) === remote.kubeconfig };
  }
  const [only, ...others] = [...new Set(referenced)];
  if (only === undefined || others.length > 0) return { action: 'create' };
  const found = secrets.find(({ metadata }) => metadata.name === only);
  if (found !== undefined && targetOf(found) !== undefined) return { action: 'create' };
  return { action: 'restore', name: only, exists: found !== undefined };
}

/** Where the kubeconfig in a Secret leads; undefined when it holds none that can be used. */
export function targetOf(secret: Secret): Pick<RemoteCluster, 'host' | 'namespace'> | undefined {
  const text = textOf(secret);
  if (text === undefined) return undefined;
  try {
    const { server, namespace = '' } = parseKubeconfig(text, { source: 'a Secret', trust: 'foreign' });
    return { host: server, namespace };
  } catch (error) {
    if (isKubeError(error)) return undefined;
    throw error;
  }
}

/** Pure: a Secret as manifest, with a name of its own when a plan has none. */
export function secretManifest(plan: SecretPlan, remote: RemoteCluster, backendUrl: string | undefined): Secret {
  const digest = createHash('sha256').update(`${remote.host}\n${remote.namespace}`).digest('hex').slice(0, 5);
  const name = plan.action === 'create' ? `${names.kubeconfigSecretPrefix}${digest}` : plan.name;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: names.namespace, ...marks(backendUrl) },
    type: 'Opaque',
    data: { [kubeconfigKey]: base64(remote.kubeconfig) },
  };
}

/** Carries out a plan, and yields the name of the Secret. */
export async function storeSecret(
  client: KubeClient,
  plan: SecretPlan,
  remote: RemoteCluster,
  { backendUrl, signal }: { readonly backendUrl?: string; readonly signal?: AbortSignal },
): Promise<string> {
  const secrets = client.resource(Secrets);
  const manifest = secretManifest(plan, remote, backendUrl);
  if (plan.action === 'create' || (plan.action === 'restore' && !plan.exists)) {
    const metadata = { ...manifest.metadata, ...(plan.action === 'create' && generated) };
    const created = await secrets.create({ ...manifest, metadata }, { signal });
    return created.metadata.name ?? '';
  }
  const ref = { namespace: names.namespace, name: plan.name };
  // A merge of what is ours: labels, annotations and other keys of the Secret stay.
  const patch = { data: manifest.data, metadata: marks(backendUrl) };
  await secrets.patch(ref, { type: 'merge', patch }, { signal });
  return plan.name;
}

const generated = { name: undefined, generateName: names.kubeconfigSecretPrefix };

function marks(backendUrl: string | undefined): { readonly annotations?: Readonly<Record<string, string>> } {
  return backendUrl === undefined ? {} : { annotations: { [annotations.backendUrl]: backendUrl } };
}

function textOf(secret: Secret): string | undefined {
  const encoded = secret.data?.[kubeconfigKey];
  return encoded ? Buffer.from(encoded, 'base64').toString('utf8') : undefined;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
