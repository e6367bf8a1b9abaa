import { type Konnector, type KonnectorDeps, type KonnectorOptions, startKonnector } from '@klutch/konnector';
import type { ClusterConfig } from '@klutch/kube';
import type { AppSide } from './app-side.ts';
import { unique } from './clusters.ts';
import { type KonnectorRights, localConfig } from './konnector-rights.ts';
import { type RecordedWrite, recordWrites } from './recorded-writes.ts';

export { grantInCluster, grantInNamespace, localConfig } from './konnector-rights.ts';

/** A konnector that runs in this process. */
export interface TestKonnector extends Konnector {
  /** Every write it sent, to whichever cluster, those for its lease included. */
  readonly writes: readonly RecordedWrite[];
  /** Stops it as a signal to the process would. */
  stop(): Promise<void>;
}

export interface TestKonnectorOptions
  extends KonnectorRights,
    Partial<Pick<KonnectorDeps, 'log' | 'metrics' | 'clock' | 'interceptors'>> {
  /** What differs from a konnector that serves the bindings of the app side. */
  readonly options?: Partial<KonnectorOptions>;
}

/** Short times, so that outages show soon. */
export const quick = { everyMs: 200, retryMs: 50, timeoutMs: 1_500 } as const;

/** Runs a konnector for an app side, with exactly the rights that the generated roles give. */
export async function runKonnector(app: AppSide, options: TestKonnectorOptions = {}): Promise<TestKonnector> {
  const local = await localConfig(app, options);
  return launch({ ...konnectorOptions(app, local), ...options.options }, options);
}

export function konnectorOptions(app: AppSide, local: ClusterConfig): KonnectorOptions {
  return {
    mode: { kind: 'default' },
    local,
    lease: {
      name: 'klutch-bind',
      namespace: app.bindingNamespace,
      identity: unique('replica'),
      timings: { leaseDurationMs: 4_000, renewDeadlineMs: 3_000, retryPeriodMs: 200 },
    },
    version: '1.2.3',
    bindingNamespace: app.bindingNamespace,
    probe: quick,
  };
}

/** Starts a konnector in this process and waits until it competes for its lease. */
export async function launch(
  options: KonnectorOptions,
  deps: Omit<KonnectorDeps, 'signal'> = {},
): Promise<TestKonnector> {
  const stop = new AbortController();
  const writes: RecordedWrite[] = [];
  const konnector = startKonnector(options, {
    log: deps.log,
    metrics: deps.metrics,
    clock: deps.clock,
    interceptors: [recordWrites('app', writes), ...(deps.interceptors ?? [])],
    signal: stop.signal,
  });
  await konnector.ready;
  return {
    ...konnector,
    writes,
    stop: async () => {
      stop.abort();
      await konnector.stopped;
    },
  };
}
