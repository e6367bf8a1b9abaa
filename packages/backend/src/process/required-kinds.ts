import {
  apiServiceBindingCrd,
  apiServiceExportCrd,
  apiServiceExportRequestCrd,
  apiServiceNamespaceCrd,
  appClusterBindingCrd,
  clusterBindingCrd,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
} from '@klutch/api';
import { type Logger, type Scope, scope, type SharedInformers, unlessAborted } from '@klutch/kube';

/** The kinds without which controllers have nothing to work on. */
export interface RequiredKinds {
  /** Throws, naming them, while some are missing or it is not known. */
  check(): void;
  /** Resolves when all are there; rejects when the signal aborts before. */
  whenThere(signal: AbortSignal): Promise<void>;
}

/** Watches for the CRDs that controllers need, and logs when they are missing and when they have come. */
export function watchRequiredKinds(
  informers: SharedInformers,
  { controlPlaneMode }: { readonly controlPlaneMode: boolean },
  log: Logger,
): RequiredKinds {
  const names = requiredNames(controlPlaneMode);
  const { informer } = informers.acquire({ type: CustomResourceDefinitions });
  const waiting = new Set<Scope>();
  let reported: string | undefined;

  const missing = () => names.filter((name) => !isEstablished(informer.cache.get({ name })));
  const look = () => {
    if (!informer.hasSynced) return;
    const kinds = missing();
    if (kinds.length === 0) for (const there of waiting) there.end();
    const report = kinds.join(', ');
    if (report === (reported ?? '')) return;
    reported = report;
    if (report === '') log.info({}, 'all kinds are there');
    else log.warn({ missing: report }, 'waits for kinds that the control plane lacks');
  };
  informer.subscribe(({ key }) => {
    if (names.includes(key)) look();
  });
  informer.synced.then(look, () => {});

  return {
    check: () => {
      if (!informer.hasSynced) throw new Error('the control plane was not read yet');
      const kinds = missing();
      if (kinds.length > 0)
        throw new Error(`the control plane lacks ${kinds.join(', ')}; install these CustomResourceDefinitions`);
    },
    whenThere: async (signal) => {
      signal.throwIfAborted();
      const there = scope();
      waiting.add(there);
      look();
      try {
        await unlessAborted(there.ended, signal);
      } finally {
        waiting.delete(there);
      }
    },
  };
}

function requiredNames(controlPlaneMode: boolean): readonly string[] {
  const always = [clusterBindingCrd, apiServiceExportCrd, apiServiceExportRequestCrd, apiServiceNamespaceCrd];
  const crds = controlPlaneMode ? [...always, apiServiceBindingCrd, appClusterBindingCrd] : always;
  return crds.map(({ metadata }) => metadata.name ?? '');
}

function isEstablished(crd: CustomResourceDefinition | undefined): boolean {
  return crd?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false;
}
