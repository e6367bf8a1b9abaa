import * as fc from 'fast-check';
import type { UnknownObject } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { marksOf } from '../ownership/marks.ts';
import { marked, World } from './history.fixture.ts';
import { isSameStatus } from './status-patch.ts';

const names = ['x', 'y', 'z'] as const;
const fields = ['size', 'plan', 'extra'] as const;

const anyName = fc.constantFrom(...names);
const anyField = fc.constantFrom(...fields);
const anyValue = fc.integer({ min: 1, max: 3 });

/** Something that somebody does, or that happens to the konnector. */
const anyEvent = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), name: anyName, value: anyValue }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('edit' as const), name: anyName, field: anyField, value: anyValue }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unset' as const), name: anyName, field: anyField }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), name: anyName }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tearAway' as const), name: anyName }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unclaim' as const), name: anyName }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('drift' as const), name: anyName, field: anyField, value: anyValue }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('provide' as const), name: anyName, value: anyValue }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('status' as const), name: anyName, value: anyValue }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('noStatus' as const), name: anyName }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteCopy' as const), name: anyName }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hold' as const), name: anyName }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('letGo' as const), name: anyName }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('offer' as const), name: anyName, value: anyValue }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'deleteCrd' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'createCrd' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('relist' as const), side: fc.constantFrom('app', 'above') }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constant('deliver' as const), side: fc.constantFrom('app', 'above') }) },
  { weight: 12, arbitrary: fc.constant({ do: 'work' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(100, 2_000, 5_000, 20_000) }),
  },
);

type Happening = typeof anyEvent extends fc.Arbitrary<infer T> ? T : never;

async function happen(world: World, event: Happening): Promise<void> {
  switch (event.do) {
    case 'work':
      return world.work();
    case 'deliver':
      return world.deliver(event.side);
    case 'relist':
      return world.relist(event.side);
    case 'restart':
      return world.restart();
    case 'pass':
      return world.advance(event.ms);
    case 'deleteCrd':
      return world.deleteCrd();
    case 'createCrd':
      return world.createCrd();
    default:
      return somebody(world, event);
  }
}

/** What people and controllers do on either side. */
function somebody(world: World, event: Extract<Happening, { name: string }>): void {
  const original = `a/${event.name}`;
  const copy = `svc/${event.name}`;
  const canCreate = world.crd.isAvailable && !world.app.objects.has(original);
  switch (event.do) {
    case 'create':
      if (canCreate) world.app.put({ namespace: 'a', name: event.name }, { spec: { size: event.value } });
      return;
    case 'edit':
      return world.app.edit(original, (object) => withSpec(object, { [event.field]: event.value }));
    case 'unset':
      return world.app.edit(original, (object) => withSpec(object, { [event.field]: undefined }));
    case 'delete':
      world.deletedByUser.add(original);
      return world.app.remove(original);
    case 'tearAway':
      world.deletedByUser.add(original);
      world.app.remove(original);
      return world.app.edit(original, (object) => withFinalizers(object, []));
    case 'unclaim':
      return world.app.edit(original, (object) => withFinalizers(object, []));
    case 'drift':
      noteForeign(world, copy, event.field);
      return world.above.edit(copy, (object) => withSpec(object, { [event.field]: event.value }));
    case 'provide':
      noteForeign(world, copy, 'provided');
      return world.above.edit(copy, (object) => withSpec(object, { provided: event.value }));
    case 'status':
      return world.above.edit(copy, (object) => ({
        ...object,
        status: { phase: event.value, [`k${event.value}`]: 1 },
      }));
    case 'noStatus':
      return world.above.edit(copy, (object) => ({ ...object, status: undefined }));
    case 'deleteCopy':
      return world.above.remove(copy);
    case 'hold':
      return world.above.edit(copy, (object) => withFinalizers(object, ['provider']));
    case 'letGo':
      return world.above.edit(copy, (object) => withFinalizers(object, []));
    case 'offer':
      if (!world.above.objects.has(copy)) {
        world.above.put({ namespace: 'svc', name: event.name }, { spec: { size: event.value } });
        noteForeign(world, copy, 'size');
      }
      return;
  }
}

/** Somebody other than the user has set a field of a copy, which may stay when the user has none of that name. */
function noteForeign(world: World, key: string, field: string): void {
  const uid = world.above.objects.get(key)?.metadata.uid ?? '';
  world.foreignFields.add(`${uid} ${field}`);
}

function withSpec(object: UnknownObject, change: object): UnknownObject {
  const spec = JSON.parse(JSON.stringify({ ...(object['spec'] as object), ...change })) as object;
  return { ...object, spec };
}

function withFinalizers(object: UnknownObject, finalizers: readonly string[]): UnknownObject {
  if (object.metadata.deletionTimestamp !== undefined && finalizers.length > 0) return object;
  const { finalizers: _, ...metadata } = object.metadata;
  return { ...object, metadata: finalizers.length === 0 ? metadata : { ...metadata, finalizers } };
}

/** Whoever held things up lets go, and nothing fails any more. */
async function calm(world: World): Promise<void> {
  world.faultRate = 0;
  world.meanwhile = () => {};
  for (let round = 0; round < 3; round++) {
    for (const name of names) world.above.edit(`svc/${name}`, (object) => withFinalizers(object, []));
    await world.settle();
    world.createCrd();
    await world.settle();
  }
}

function expectEqual(world: World): void {
  for (const [key, original] of world.app.objects) {
    expect(original.metadata.deletionTimestamp, `${key} is stuck`).toBeUndefined();
    const copy = world.above.objects.get(key.replace('a/', 'svc/'));
    expect(copy, `${key} has no copy`).toBeDefined();
    if (copy === undefined) continue;
    expect(marksOf(copy).sourceUid).toBe(original.metadata.uid);
    const [own, actual] = [original, copy].map((object) => object['spec'] as Record<string, unknown>);
    expect(actual).toMatchObject(own ?? {});
    const surplus = Object.keys(actual ?? {}).filter((field) => !(field in (own ?? {})));
    const isForeign = (field: string) => world.foreignFields.has(`${copy.metadata.uid} ${field}`);
    expect(
      surplus.filter((field) => !isForeign(field)),
      `${key} keeps removed fields above`,
    ).toEqual([]);
    expect(isSameStatus(original['status'], copy['status']), `${key} shows another status`).toBe(true);
  }
  const held = new Set(world.troubles.keys());
  for (const [key, copy] of world.above.objects) {
    const original = key.replace('svc/', 'a/');
    if (marksOf(copy).sourceCluster === 'another-cluster') continue;
    expect(world.app.objects.has(original) || held.has(original), `${key} is left over`).toBe(true);
  }
}

describe('any history of edits, deletions, restarts, stale caches and lost requests', () => {
  const anyHistory = fc.record({
    events: fc.array(anyEvent, { minLength: 10, maxLength: 80 }),
    between: fc.array(
      anyEvent.filter((event) => 'name' in event),
      {
        maxLength: 8,
      },
    ),
    faultRate: fc.constantFrom(0, 0, 0.1, 0.3),
    chances: fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
  });

  it('ends with both sides equal, nothing lost and no further write', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async ({ events, between, faultRate, chances }) => {
        const chance = () => chances.next().value as number;
        const world = new World(chance);
        world.above.put({ namespace: 'svc', name: 'w' }, { spec: { size: 9 } }, marked('another-cluster'));
        const foreign = world.above.objects.get('svc/w')?.metadata.resourceVersion;
        const pending = [...between];
        world.meanwhile = () => {
          const event = chance() < 0.1 ? pending.pop() : undefined;
          if (event) somebody(world, event);
        };
        world.faultRate = faultRate;

        for (const event of events) await happen(world, event);
        await calm(world);

        expect(world.violations).toEqual([]);
        expectEqual(world);
        expect(await world.writesAtRest()).toEqual([]);
        expect(world.above.objects.get('svc/w')?.metadata.resourceVersion).toBe(foreign);
      }),
      { numRuns: 300 },
    );
  }, 120_000);
});
