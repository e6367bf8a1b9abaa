import { silentLogger } from '@klutch/kube';
import { createManualClock, eventually } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import type { BoundApi } from '../instances/bound-api.ts';
import { defaultMetadataRules } from '../instances/metadata-rules.ts';
import type { NamespaceMap } from '../namespaces/namespace-map.ts';
import type { Link } from './link.ts';
import type { Unit } from './parts.ts';
import { runUnits } from './run-units.ts';

const apiOf = (name: string) => ({ name, binding: { name, uid: `${name}-uid` } }) as BoundApi;
const planOf = (...names: readonly string[]) => ({
  instances: new Map(names.map((name) => [name, apiOf(name)])),
  claims: new Map(),
  declined: new Set<string>(),
  rejected: [],
  withdrawn: [],
  claimless: [],
  isPartial: false,
});

/** Units that run until they are told to end, or to fail. */
function open() {
  const stop = new AbortController();
  const clock = createManualClock();
  const started: { readonly name: string; fail(): void; readonly signal: AbortSignal }[] = [];
  const reported: string[] = [];
  const runInstances = ({ api, signal }: { readonly api: BoundApi; readonly signal: AbortSignal }): Unit<BoundApi> => {
    let fail = () => {};
    const stopped = new Promise<void>((resolve, reject) => {
      fail = () => reject(new Error('a defect'));
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    started.push({ name: api.name, fail: () => fail(), signal });
    return { ready: Promise.resolve(), stopped, update: () => {}, stillUses: () => false };
  };
  const units = runUnits({
    link: { clock, log: silentLogger } as unknown as Link,
    parts: { runInstances, runClaims: () => expect.unreachable() },
    namespaces: {} as NamespaceMap,
    board: {
      report: ({ name }, { type, status, reason }) => void reported.push(`${name} ${type} ${status} ${reason}`),
      withdraw: () => {},
      reportProvider: () => {},
    },
    metadata: defaultMetadataRules,
    signal: stop.signal,
  });
  return { units, started, reported, clock, stop };
}

describe('units', () => {
  it('that fail are started again and say so, and the others do not notice', async () => {
    const { units, started, reported, clock, stop } = open();
    units.follow(planOf('a', 'b'));
    await eventually(() => started.length === 2);

    started.find(({ name }) => name === 'a')?.fail();
    await eventually(() => reported.length === 1);
    expect(reported).toEqual(['a InstancesSynced False SynchronisationFailed']);
    expect(started).toHaveLength(2);
    await clock.advance(60_000);
    await eventually(() => started.length === 3);

    expect(started.map(({ name, signal }) => [name, signal.aborted])).toEqual([
      // Whatever may be left of the one that failed ends.
      ['a', true],
      ['b', false],
      ['a', false],
    ]);
    stop.abort();
    await units.stopped;
  });
  it('of which nothing is left are forgotten, however many come and go', async () => {
    const { units, started, stop } = open();
    for (let count = 1; count <= 20; count++) {
      units.follow(planOf('stays', `api-${count}`));
      await eventually(() => started.length === count + 1);
    }
    await eventually(() => units.size === 2);

    units.follow(planOf());
    await eventually(() => units.size === 0);
    stop.abort();
    await units.stopped;
  });
});
