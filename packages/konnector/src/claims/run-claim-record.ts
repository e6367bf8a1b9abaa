import { annotations, type APIServiceBinding, APIServiceBindings, ClusterScopedAPIServiceBindings } from '@klutch/api';
import {
  isKubeError,
  keyOf,
  onAbort,
  type ReconcileContext,
  type ReconcileResult,
  runController,
  type Source,
} from '@klutch/kube';
import { refOfBinding } from '../bindings/binding-ref.ts';
import type { BindingsOfLink } from '../bindings/bindings-of-link.ts';
import { createLinkQueue } from '../link/link-queue.ts';
import type { Link, Running } from '../link/link.ts';
import type { NamespaceMap } from '../namespaces/namespace-map.ts';
import { acceptedClaims, claimDebts, claimRecord, typeOfKey } from './claim-record.ts';
import { clearCopies } from './clear-copies.ts';

export interface ClaimRecordOptions {
  readonly link: Link;
  readonly bindings: BindingsOfLink;
  /** Where the bindings live. */
  readonly bindingsIn: 'app' | 'control-plane';
  /** Must know all places already. */
  readonly namespaces: NamespaceMap;
  readonly signal: AbortSignal;
}

/**
 * Keeps on every binding of a link the types of which copies may exist because of its claims, and removes the copies of
 * those that no binding accepts any more: also of claims that were rejected or removed while no konnector ran.
 */
export function runClaimRecord({ link, bindings, bindingsIn, namespaces, signal }: ClaimRecordOptions): Running {
  const { client } = bindingsIn === 'app' ? link.app : link.controlPlane;

  const everyBinding: Source = {
    start: async (enqueue, until) => {
      const look = () => {
        // Bindings change often, and their claims hardly ever.
        const all = bindings.list();
        for (const binding of all) if (!isSettled(binding, all)) enqueue(keyOf(refOfBinding(binding)));
      };
      const unsubscribe = bindings.subscribe(look);
      onAbort(until, unsubscribe);
      look();
    },
  };
  return runController({
    name: 'claim-record',
    sources: [everyBinding],
    queue: createLinkQueue(link, { name: 'claim-record' }),
    reconcile,
    signal,
    log: link.log,
    metrics: link.metrics.controller,
    clock: link.clock,
  });

  async function reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult | void> {
    const cached = bindings.list().find((one) => keyOf(refOfBinding(one)) === key);
    if (!cached) return;
    // No write and no deletion follow from a cache that may lag behind.
    const binding = await clientFor(cached).find(refOfBinding(cached), { signal: context.signal });
    if (!binding || binding.metadata.uid !== cached.metadata.uid) return;
    const all = bindings.list();
    if (isSettled(binding, all)) return;
    const { record, owed } = claimDebts(binding, all);
    if (record) return await write(binding, record, context);
    for (const one of owed) {
      const isCleared = await clear(one, context);
      if (!isCleared) return { requeueAfter: changedMs };
    }
    await write(binding, acceptedClaims(binding), context);
  }

  /** Whether all copies of a type were cleared; not when somebody claims it after all. */
  async function clear(key: string, context: ReconcileContext): Promise<boolean> {
    const type = typeOfKey(key);
    if (!type) return true;
    let isClaimed = false;
    const mayGo = () => {
      isClaimed ||= bindings.list().some((binding) => acceptedClaims(binding).has(key));
      return !isClaimed;
    };
    const deleted = await clearCopies(type, { link, namespaces, mayGo, signal: context.signal });
    if (deleted > 0) link.log.info({ part: 'claims', type: key, deleted }, 'copies of unclaimed objects removed');
    return mayGo();
  }

  async function write(binding: APIServiceBinding, keys: Iterable<string>, context: ReconcileContext): Promise<void> {
    const { uid, resourceVersion } = binding.metadata;
    const metadata = { uid, resourceVersion, annotations: { [annotations.claimedTypes]: claimRecord(keys) } };
    link.metrics.wrote(bindingsIn, 'claims', 'patch');
    try {
      await clientFor(binding).patch(
        refOfBinding(binding),
        { type: 'merge', patch: { metadata } },
        { signal: context.signal },
      );
    } catch (error) {
      if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
    }
  }

  function clientFor({ metadata }: APIServiceBinding) {
    return client.resource(metadata.namespace ? APIServiceBindings : ClusterScopedAPIServiceBindings);
  }
}

function isSettled(binding: APIServiceBinding, all: readonly APIServiceBinding[]): boolean {
  const { record, owed, settled } = claimDebts(binding, all);
  return record === undefined && owed.length === 0 && settled.length === 0;
}

const changedMs = 1_000;
