import { CustomResourceDefinitions } from '@klutch/api';
import type { Clock, KubeClient } from '@klutch/kube';
import { crdStampOf } from '../schema/crd-stamp.ts';
import type { SeenCrd } from './seen.ts';

/** Asks for the state of a CRD after the given moment, in milliseconds of the clock. */
export type CrdLook = (since: number) => Promise<SeenCrd>;

/**
 * When somebody deletes a CRD, its objects are deleted with it, and the watch of the objects may tell before that of the
 * CRDs does. So the server is asked, after the object was seen to go. One answer serves all objects seen before.
 *
 * @param firstUid of the CRD for which the work began
 */
export function createCrdLook(
  client: KubeClient,
  name: string,
  clock: Pick<Clock, 'now'>,
  firstUid: string | undefined,
): CrdLook {
  const crds = client.resource(CustomResourceDefinitions);
  let latest: { readonly startedAt: number; readonly answer: Promise<SeenCrd> } | undefined;
  let isRunning = false;
  let next: Promise<SeenCrd> | undefined;

  async function ask(): Promise<SeenCrd> {
    const crd = await crds.find({ name });
    const isAvailable = crd !== undefined && crd.metadata.deletionTimestamp === undefined;
    const isFirst = crd?.metadata.uid !== undefined && crd.metadata.uid === firstUid;
    return { isAvailable, created: crd?.metadata.creationTimestamp, stamp: crd && crdStampOf(crd), isFirst };
  }

  function start(): Promise<SeenCrd> {
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
