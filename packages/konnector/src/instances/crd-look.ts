import { CustomResourceDefinitions } from '@klutch/api';
import type { Clock, KubeClient } from '@klutch/kube';
import type { Looked } from './seen.ts';

type Answer = NonNullable<Looked['crd']>;

/** Asks for the state of a CRD after the given moment, in milliseconds of the clock. */
export type CrdLook = (since: number) => Promise<Answer>;

/**
 * When somebody deletes a CRD, its objects are deleted with it, and the watch of the objects may tell before that of the
 * CRDs does. So the server is asked, after the object was seen to go. One answer serves all objects seen before.
 */
export function createCrdLook(client: KubeClient, name: string, clock: Pick<Clock, 'now'>): CrdLook {
  const crds = client.resource(CustomResourceDefinitions);
  let latest: { readonly startedAt: number; readonly answer: Promise<Answer> } | undefined;
  let isRunning = false;
  let next: Promise<Answer> | undefined;

  async function ask(): Promise<Answer> {
    const crd = await crds.find({ name });
    const isAvailable = crd !== undefined && crd.metadata.deletionTimestamp === undefined;
    return { isAvailable, created: crd?.metadata.creationTimestamp };
  }

  function start(): Promise<Answer> {
    isRunning = true;
    const answer = ask().finally(() => {
      isRunning = false;
    });
    latest = { startedAt: clock.now(), answer };
    // A failed look must not be shared with those who come later.
    answer.catch(() => {
      if (latest?.answer === answer) latest = undefined;
    });
    return answer;
  }

  return (since) => {
    if (latest !== undefined && latest.startedAt > since) return latest.answer;
    if (!isRunning || latest === undefined) return start();
    const after = () => {
      next = undefined;
      return start();
    };
    next ??= latest.answer.then(after, after);
    return next;
  };
}
