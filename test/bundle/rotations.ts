import { annotations, labels, kubeconfigKey } from '@klutch/api';
import { Namespaces, Secrets } from '@klutch/kube';
import { onTestFinished } from 'vitest';
import { patiently } from '../backend/process-world.ts';
import type { TestCluster } from '../konnector/clusters.ts';
import type { AppCluster } from './app-cluster.ts';

/** What was observed of a connection, from its first moment on. */
export interface Observed {
  /** Every credential that was in use, in order; one that came back is there twice. */
  readonly credentials: readonly string[];
  /** Every time the binding was not ready. */
  readonly outages: readonly string[];
}

/** Looks at the credential and the binding all the time, until the test ends. */
export function observe(app: AppCluster, api: string): Observed {
  const credentials: string[] = [];
  const outages: string[] = [];
  const stop = new AbortController();
  const looking = (async () => {
    while (!stop.signal.aborted) {
      const current = await storedKubeconfig(app);
      if (current !== credentials.at(-1)) credentials.push(current);
      const { status } = await app.binding(api);
      const ready = status?.conditions?.find(({ type }) => type === 'Ready');
      if (ready?.status !== 'True') outages.push(`${ready?.reason}: ${ready?.message}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  onTestFinished(async () => {
    stop.abort();
    await looking;
  });
  return { credentials, outages };
}

export async function storedKubeconfig(app: AppCluster): Promise<string> {
  const [secret] = await app.credentials();
  return Buffer.from(secret?.data?.[kubeconfigKey] ?? '', 'base64').toString();
}

/** Makes the backend renew a credential as it does at half of its life: what it remembers of its age is changed. */
export async function age({ admin }: TestCluster, namespace: string): Promise<void> {
  const secrets = admin.resource(Secrets);
  const { items } = await secrets.list({ namespace, labelSelector: `${labels.credential}=token` });
  const issuedAt = new Date(Date.now() - 7_200_000).toISOString();
  for (const { metadata } of items) {
    const patch = { metadata: { annotations: { [annotations.issuedAt]: issuedAt } } };
    await secrets.patch({ namespace, name: metadata.name ?? '' }, { type: 'merge', patch });
  }
  // The backend does not watch Secrets; a change of the namespace makes it look at once.
  const patch = { metadata: { annotations: { 'example.org/touched': issuedAt } } };
  await admin.resource(Namespaces).patch({ name: namespace }, { type: 'merge', patch });
}

/** Applies a file again and again, at these intervals, and tells what kubectl said each time. */
export function applyForEver(app: AppCluster, file: string, flags: readonly string[], everyMs: number) {
  const said: string[] = [];
  const stop = new AbortController();
  const applying = (async () => {
    while (!stop.signal.aborted) {
      const { code, stdout, stderr } = await app.kubectl.run(['apply', ...flags, '-f', file].join(' '));
      said.push(code === 0 ? stdout : stderr);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  const end = async () => {
    stop.abort();
    await applying;
  };
  onTestFinished(end);
  return {
    said,
    end,
    /** Waits until it was applied so many times more. */
    rounds: async (count: number) => {
      const goal = said.length + count;
      await patiently(() => said.length >= goal);
    },
  };
}
