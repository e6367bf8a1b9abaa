import type { Controller } from '@klutch/kube';

/** The controller, whose end lets go of what it has used: shares of informers and the like. */
export function releasing<K extends string>(
  controller: Controller<K>,
  ...used: readonly ({ release(): void } | undefined)[]
): Controller<K> {
  const stopped = controller.stopped.finally(() => {
    for (const one of used) one?.release();
  });
  return { ...controller, stopped };
}
