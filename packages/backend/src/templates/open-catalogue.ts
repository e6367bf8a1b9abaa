import { apiName, CustomResourceDefinitions, type InformerScope } from '@klutch/api';
import { type Clock, KubeError, onAbort, type SharedInformers, systemClock } from '@klutch/kube';
import type { CompleteCatalogue, Offer } from './catalogue.ts';
import { createAbsence } from './absence.ts';
import { compare, decisive, judge, offerOf } from './offers.ts';
import { watchTemplates } from './watch-templates.ts';
import { withdrawalOf } from './withdrawal.ts';

export interface CatalogueDeps {
  /** Of the control plane. */
  readonly informers: SharedInformers;
  readonly consumerScope: InformerScope;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/**
 * The catalogue of a control plane, from its templates and CRDs. It keeps no copies: every answer is made from the
 * shared caches, in which a CRD is held once, as text.
 */
export function openCatalogue({
  informers,
  consumerScope,
  signal,
  clock = systemClock,
}: CatalogueDeps): CompleteCatalogue {
  const listeners = new Set<(names: readonly string[]) => void>();
  const share = informers.acquire({ type: CustomResourceDefinitions });
  const crds = share.informer;
  const templates = watchTemplates(informers, crds, tell);
  const absence = createAbsence(clock, (name) => tell([name]));
  const unsubscribe = crds.subscribe(({ key }) => {
    if (templates.of(key).length > 0) tell([key]);
  });
  const synced = readOnce();
  // Nobody has to wait for it; the end before it must not count as an unhandled failure.
  synced.catch(() => {});
  onAbort(signal, stop);

  const named = (names: Iterable<string>, toOffer: (name: string) => Offer | undefined): readonly Offer[] =>
    [...names].sort(compare).flatMap((name) => toOffer(name) ?? []);

  return {
    offersTo: (tenant) =>
      named(templates.names(), (name) => {
        const verdict = judge(templates.of(name), crds.cache.get({ name }), tenant, consumerScope);
        return typeof verdict === 'string' ? undefined : verdict;
      }),
    find,
    withdrawal: (api, tenant) => {
      const verdict = find(api, tenant);
      const isReadable = templates.isReadable();
      const missingForMs = absence.of(apiName(api), verdict === 'NotExported' && isReadable);
      return withdrawalOf({ verdict, isReadable, missingForMs });
    },
    all: () =>
      named(templates.names(), (name) => {
        const [template, crd] = [decisive(templates.of(name)), crds.cache.get({ name })];
        return template && crd && offerOf(template, crd);
      }),
    onChange: (listener) => {
      // A listener of its own, also for a function that listens already.
      const own = (names: readonly string[]) => listener(names);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    synced,
  };

  function find(...[api, tenant]: Parameters<CompleteCatalogue['find']>): ReturnType<CompleteCatalogue['find']> {
    const name = apiName(api);
    // Where the group begins cannot be seen from a name.
    const exact = templates
      .of(name)
      .filter((template) => template.api.resource === api.resource && template.api.group === (api.group ?? ''));
    return judge(exact, crds.cache.get({ name }), tenant, consumerScope);
  }

  function tell(names: readonly string[]): void {
    if (names.length > 0) for (const listener of listeners) listener(names);
  }

  async function readOnce(): Promise<void> {
    await crds.synced;
    await templates.synced();
    if (signal.aborted) throw new KubeError('KUBE_ABORTED', 'The catalogue was closed before it was read.');
  }

  function stop(): void {
    unsubscribe();
    absence.stop();
    templates.stop();
    share.release();
    listeners.clear();
  }
}
