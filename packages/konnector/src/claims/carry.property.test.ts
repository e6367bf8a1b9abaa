import { annotations } from '@klutch/api';
import { isKubeError, keyOf, type UnknownObject } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryLine, type MarkStore } from '../epoch/memory-line.fixture.ts';
import { createWritten } from '../instances/written.ts';
import { type CarryContext, carry, type Pair, type Side } from './carry.ts';
import { ruleWith, secretOf, sources } from './claim.fixture.ts';
import type { Owner } from './copy-marks.ts';
import { createMemoryCluster, type MemoryCluster } from './memory-cluster.fixture.ts';
import type { Rule } from './rule.ts';
import { createSettled } from './settled.ts';

const names = ['a', 'b'] as const;
const namespaces = { Provider: 'x-team-a', Consumer: 'team-a' };

/** What a person does; `fix` makes immutable, `pin` sets a finalizer, `unpin` removes it. */
type Deed = (typeof deeds)[number];
const deeds = ['create', 'edit', 'delete', 'fix', 'pin', 'unpin'] as const;

type Action =
  | {
      readonly do: Deed;
      readonly side: Owner;
      readonly name: string;
      readonly value: string;
    }
  | { readonly do: 'catchUp'; readonly side: Owner }
  | { readonly do: 'reconcile'; readonly name: string }
  /** Caches catch up and everything is looked at. */
  | { readonly do: 'follow' }
  | { readonly do: 'restart' }
  /** The user accepts all claims, or rejects them. */
  | { readonly do: 'accept' | 'reject' };

const side = fc.constantFrom<Owner>('Provider', 'Consumer');
const name = fc.constantFrom(...names);
const value = fc.constantFrom('1', '2', '3');
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom(...deeds), side, name, value }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('catchUp'), side }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reconcile'), name }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('follow') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('restart', 'accept', 'reject') }) },
);

/** Two clusters with people on both sides, a konnector between them, and its caches, which lag behind. */
function createWorld(claimed: readonly Rule[]) {
  let rules = claimed;
  let id = 0;
  const clusters: Record<Owner, MemoryCluster> = {
    Provider: createMemoryCluster(() => ++id),
    Consumer: createMemoryCluster(() => ++id),
  };
  const clock = createManualClock();
  /** What people last wrote, by UID of the objects they made. */
  const made = new Map<string, { readonly side: Owner; readonly content: UnknownObject }>();
  const caches: Record<Owner, ReadonlyMap<string, UnknownObject>> = { Provider: new Map(), Consumer: new Map() };
  const stores: Record<Owner, MarkStore> = { Provider: {}, Consumer: {} };
  let context = start();

  function start(): CarryContext {
    return {
      sides: { Provider: sideOf('Provider'), Consumer: sideOf('Consumer') },
      sources,
      kubeconfigSecret: 'klutch-bind/kubeconfig-x',
      get rules() {
        return rules;
      },
      settled: createSettled(),
      lines: { Provider: createMemoryLine(stores.Provider), Consumer: createMemoryLine(stores.Consumer) },
      mayGo: () => false,
      deletionSeen: () => false,
    };
  }

  function sideOf(of: Owner): Side {
    const written = createWritten(clock);
    return {
      client: clusters[of].client,
      known: (ref) => written.newest(keyOf(ref), caches[of].get(keyOf(ref)), true),
      wrote: (ref, _, answer) => written.put(keyOf(ref), answer),
      removed: (ref, uid) => written.deleted(keyOf(ref), uid),
    };
  }

  async function reconcile(one: string): Promise<void> {
    const pair: Pair = {
      name: one,
      appNamespace: namespaces.Consumer,
      serviceNamespace: namespaces.Provider,
      ending: false,
    };
    try {
      await carry(pair, context, false);
    } catch (error) {
      if (!isKubeError(error, 'KUBE_CONFLICT', 'KUBE_NOT_FOUND')) throw error;
    }
  }

  async function play(step: Action): Promise<void> {
    switch (step.do) {
      case 'restart':
        context = start();
        return;
      case 'accept':
      case 'reject':
        rules = step.do === 'accept' ? claimed : [];
        return;
      case 'follow':
        return follow();
      case 'catchUp':
        caches[step.side] = new Map(clusters[step.side].objects);
        return;
      case 'reconcile':
        return reconcile(step.name);
      case 'create':
      case 'edit':
      case 'delete':
      case 'fix':
      case 'pin':
      case 'unpin':
        return act(step.do, step.side, step.name, step.value);
    }
  }

  async function follow(): Promise<void> {
    for (const one of ['Provider', 'Consumer'] as const) await play({ do: 'catchUp', side: one });
    for (const one of names) await reconcile(one);
  }

  /** A person does something to an object, whoever made it. */
  function act(what: Deed, at: Owner, one: string, text: string): void {
    const key = `${namespaces[at]}/${one}`;
    const found = clusters[at].objects.get(key);
    if (what === 'delete') return clusters[at].delete(key);
    if (what === 'pin' || what === 'unpin') return pin(at, key, what === 'pin');
    if (what === 'create' && found === undefined) {
      const stored = clusters[at].create(secretOf({ name: one, namespace: namespaces[at] }, { value: text }));
      made.set(stored.metadata.uid ?? '', { side: at, content: stored });
    }
    if (found === undefined || what === 'create' || found['immutable'] === true) return;
    clusters[at].edit(key, (object) => ({
      ...object,
      data: { value: text },
      ...(what === 'fix' ? { immutable: true } : {}),
    }));
    const edited = clusters[at].objects.get(key);
    const uid = edited?.metadata.uid ?? '';
    if (edited !== undefined && made.has(uid)) made.set(uid, { side: at, content: edited });
  }

  function pin(at: Owner, key: string, isPinned: boolean): void {
    const finalizers = isPinned ? ['example.org/pin'] : [];
    const found = clusters[at].objects.get(key);
    if (found === undefined || (isPinned && found.metadata.deletionTimestamp !== undefined)) return;
    clusters[at].edit(key, (object) => ({ ...object, metadata: { ...object.metadata, finalizers } }));
    if (found.metadata.deletionTimestamp !== undefined) clusters[at].delete(key);
  }

  /** Removes all pins, lets caches catch up and the konnector work until it has nothing left to write. */
  async function settle(): Promise<void> {
    for (const at of ['Provider', 'Consumer'] as const) for (const one of names) act('unpin', at, one, '');
    for (let round = 0; round < 10; round++) {
      await clock.advance(60_000);
      const before = clusters.Provider.writes + clusters.Consumer.writes;
      await follow();
      // A conflict with an object that the caches do not show costs a try, which changes nothing.
      if (clusters.Provider.writes + clusters.Consumer.writes === before) return;
    }
    throw new Error('it never comes to rest');
  }

  return { clusters, made, play, settle, rules: () => rules };
}

const contentOf = (object: UnknownObject | undefined) =>
  object && { data: object['data'], immutable: object['immutable'] };

describe('whatever people do on both sides, and whenever the konnector looks or restarts', () => {
  const histories = fc.array(action, { maxLength: 30 });

  const rows: readonly (readonly [string, readonly Rule[]])[] = [
    ['objects of the provider are claimed', [ruleWith({ selector: { owner: 'Provider' } })]],
    ['objects of the user are claimed', [ruleWith({ selector: { owner: 'Consumer' } })]],
    ['objects of both are claimed', [ruleWith()]],
    [
      'one name is claimed of each',
      [
        ruleWith({ selector: { owner: 'Provider', names: ['a'] } }),
        ruleWith({ selector: { owner: 'Consumer', names: ['b'] } }),
      ],
    ],
    ['nothing is claimed', []],
  ];

  it.each(rows)('%s: it comes to rest, owners win, and nobody else is touched', async (_, claimed) => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { clusters, made, play, settle, rules } = createWorld(claimed);
        for (const step of history) await play(step);
        await settle();
        for (const one of names) {
          const objects = {
            Provider: clusters.Provider.objects.get(`${namespaces.Provider}/${one}`),
            Consumer: clusters.Consumer.objects.get(`${namespaces.Consumer}/${one}`),
          };
          for (const at of ['Provider', 'Consumer'] as const) {
            const other: Owner = at === 'Provider' ? 'Consumer' : 'Provider';
            const object = objects[at];
            const own = made.get(object?.metadata.uid ?? '');
            // What a person made is as that person left it.
            if (own !== undefined) expect(contentOf(object)).toEqual(contentOf(own.content));
            // What nobody made is a copy of what the other side has.
            if (object !== undefined && own === undefined) {
              expect(made.get(objects[other]?.metadata.uid ?? '')?.side).toBe(other);
              expect(contentOf(object)).toEqual(contentOf(objects[other]));
              expect(object.metadata.annotations?.[annotations.resourceOwner]).toBe(other);
            }
            // What is claimed has its copy, unless a person holds the name.
            const isClaimed = rules().some(
              (rule) => (rule.owner ?? at) === at && (rule.selector.names?.has(one) ?? true),
            );
            if (own !== undefined && isClaimed) expect(objects[other]).toBeDefined();
            const isEverClaimed = claimed.some((rule) => (rule.owner ?? at) === at);
            if (own !== undefined && !isEverClaimed) expect(object?.metadata.annotations ?? {}).toEqual({});
            if (own !== undefined && !isClaimed && !made.has(objects[other]?.metadata.uid ?? ''))
              expect(objects[other]).toBeUndefined();
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
