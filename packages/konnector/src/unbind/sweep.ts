import { type CustomResourceDefinition } from '@klutch/api';
import { type Clock, isKubeError, type KubeObject, type Logger, pause, type ResourceClient } from '@klutch/kube';

export interface SweepOptions {
  readonly crds: ResourceClient<CustomResourceDefinition>;
  /** Whether the binding that a CRD was made for seems to be gone. Only the CRD's metadata is there. */
  readonly isLeftOver: (crd: KubeObject) => Promise<boolean>;
  readonly found: (name: string) => void;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Looks through all CRDs for those that bindings left behind, at once and then now and again. */
export async function sweep(options: SweepOptions): Promise<void> {
  const { clock, log, signal } = options;
  while (!signal.aborted) {
    let wait = everyMs;
    try {
      await sweepOnce(options);
    } catch (error) {
      if (signal.aborted) return;
      // Whoever may read only the CRDs of bound APIs still sees bindings go while it runs.
      const mayNot = isKubeError(error, 'KUBE_FORBIDDEN');
      if (!mayNot) wait = afterFailureMs;
      log[mayNot ? 'info' : 'warn']({ err: error }, 'CRDs left behind by bindings could not be looked for');
    }
    await pause(clock, wait, signal);
  }
}

async function sweepOnce({ crds, isLeftOver, found, signal }: SweepOptions): Promise<void> {
  for await (const { items } of crds.pages({ metadataOnly: true, signal })) {
    for (const crd of items) if (await isLeftOver(crd)) found(crd.metadata.name ?? '');
  }
}

const everyMs = 10 * 60_000;
const afterFailureMs = 30_000;
