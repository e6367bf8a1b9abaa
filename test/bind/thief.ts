import { kubeconfigKey } from '@klutch/api';
import { connect, isKubeError, parseKubeconfig, Secrets } from '@klutch/kube';
import { onTestFinished } from 'vitest';

export interface Thief {
  /** Kubeconfigs that the thief has got besides the stolen one. */
  readonly loot: readonly string[];
  /** Ends it, and tells how often the thief has tried. */
  stop(): Promise<{ readonly tries: number }>;
}

/**
 * Somebody with a stolen kubeconfig who does all that keeps access: reads whatever Secrets there are in the cluster namespace, and
 * asks the backend for another credential, again and again.
 */
export function startThief(stolen: string, backend: string): Thief {
  const config = parseKubeconfig(stolen, { source: 'the thief', trust: 'foreign' });
  const token = config.auth.kind === 'token' ? config.auth.token : '';
  const client = connect(config, { userAgent: 'thief/1' });
  const loot = new Set<string>();
  const over = new AbortController();
  let tries = 0;
  const running = Promise.all([reading(), asking()]);
  onTestFinished(async () => void (await stop()));
  return {
    get loot() {
      return [...loot].filter((text) => text !== stolen);
    },
    stop,
  };

  async function stop(): Promise<{ readonly tries: number }> {
    over.abort();
    await running;
    await client.close();
    return { tries };
  }

  async function reading(): Promise<void> {
    while (!over.signal.aborted) {
      tries += 1;
      try {
        const { items } = await client.resource(Secrets).list({ namespace: config.namespace ?? '' });
        const kubeconfigs = items.flatMap(({ data = {} }) => data[kubeconfigKey] ?? []);
        for (const kubeconfig of kubeconfigs) loot.add(Buffer.from(kubeconfig, 'base64').toString('utf8'));
      } catch (error) {
        if (!isKubeError(error)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function asking(): Promise<void> {
    while (!over.signal.aborted) {
      tries += 1;
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(new URL('rotate', backend), { method: 'POST', headers, body: '{}' }).catch(
        () => undefined,
      );
      if (answer?.ok) {
        const { kubeconfig } = (await answer.json()) as { readonly kubeconfig: string };
        loot.add(Buffer.from(kubeconfig, 'base64').toString());
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
