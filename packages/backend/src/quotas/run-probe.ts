import { APIServiceExports } from '@klutch/api';
import { informerSource, type ReconcileResult, type ReconcileContext, runController } from '@klutch/kube';
import { releasing } from '../objects/releasing.ts';
import { catalogueSource } from '../templates/catalogue-source.ts';
import { decideProbe } from './decide-probe.ts';
import { clusterNamespaceNames, creatableNames } from './limits.ts';
import { probeQuota, ResourceQuotas } from './resource-quota.ts';
import type { QuotasDeps } from './run-quotas.ts';
import { writeQuota } from './write-quota.ts';

/** Knows which types the control plane counts. */
export interface Probe {
  countable(): ReadonlySet<string>;
  readonly stopped: Promise<void>;
}

/**
 * Keeps a ResourceQuota in the backend's own namespace that names every type which tenants may create, and reads from its
 * status which of them are counted.
 * @param onChange called when other types are counted than before
 */
export function runProbe(deps: QuotasDeps, onChange: () => void): Probe {
  const { client, informers, catalogue, options, clock, log, signal } = deps;
  const { namespace } = options;
  const exports = informers.acquire({ type: APIServiceExports });
  const quotas = informers.acquire({
    type: ResourceQuotas,
    namespace,
    fieldSelector: `metadata.name=${probeQuota}`,
  });
  let countable: ReadonlySet<string> = new Set();
  let waitingSince: number | undefined;
  let written: number | undefined;
  let isWarned = false;

  const controller = runController({
    name: 'quota-probe',
    timeoutMs: 30_000,
    sources: [
      informerSource(exports.informer, () => [probeQuota]),
      informerSource(quotas.informer, () => [probeQuota]),
      catalogueSource(catalogue, () => [probeQuota]),
      { start: async (enqueue) => enqueue(probeQuota) },
    ],
    reconcile,
    signal,
    log,
    metrics: deps.metrics,
    clock,
  });
  const { stopped } = releasing(controller, exports, quotas);
  return { countable: () => countable, stopped };

  async function reconcile(_key: string, { signal }: ReconcileContext): Promise<ReconcileResult | void> {
    const now = clock.now();
    const probe = quotas.informer.cache.get({ namespace, name: probeQuota });
    const decision = decideProbe({
      names: wantedNames(),
      waitedMs: waitingSince === undefined ? 0 : now - waitingSince,
      ...(probe ? { probe } : {}),
      ...(written === undefined ? {} : { writtenMs: now - written }),
    });
    waitingSince = decision.againMs === undefined ? undefined : (waitingSince ?? now);
    remember(decision.countable);
    warn(decision.isUnattended);
    if (decision.hard) {
      const write = { namespace, name: probeQuota, seen: probe, hard: decision.hard };
      if (!(await writeQuota(client, write, signal))) return { requeueAfter: behindMs };
      written = now;
    }
    return decision.againMs === undefined ? undefined : { requeueAfter: decision.againMs };
  }

  /** What is offered is asked for before anybody has bound it. */
  function wantedNames(): readonly string[] {
    const offered = catalogue.all().map(({ group, resource, permissionClaims }) => ({
      group,
      names: { plural: resource, kind: '' },
      permissionClaims: [...permissionClaims],
    }));
    const exported = [...exports.informer.cache.values()].map(({ spec }) => spec);
    return [...new Set([...clusterNamespaceNames, ...creatableNames([...offered, ...exported])])].sort();
  }

  function remember(now: ReadonlySet<string>): void {
    const isSame = now.size === countable.size && [...now].every((name) => countable.has(name));
    countable = now;
    if (!isSame) onChange();
  }

  /** Once, and again when it has worked in between. */
  function warn(isUnattended: boolean): void {
    if (isUnattended && !isWarned) {
      log.warn(
        { namespace, name: probeQuota },
        'nobody counts objects for ResourceQuotas on this control plane, so that numbers of objects of tenants are not limited; run the resourcequota-controller of kube-controller-manager',
      );
    }
    isWarned = isUnattended;
  }
}

/** A watch tells a moment later. */
const behindMs = 1_000;
