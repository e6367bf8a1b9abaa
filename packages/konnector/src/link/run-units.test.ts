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
const plan = {
  instances: new Map([
    ['a', apiOf('a')],
    ['b', apiOf('b')],
  ]),
  claims: new Map(),
  declined: new Set<string>(),
  rejected: [],
  withdrawn: [],
  claimless: [],
  isPartial: false,
};

describe('units', () => {
  it('that fail are started again and say so, and the others do not notice', async () => {
    const stop = new AbortController();
    const clock = createManualClock();
    const started: { readonly name: string; fail(): void; readonly signal: AbortSignal }[] = [];
    const reported: string[] = [];
    const runInstances = ({
      api,
      signal,
    }: {
      readonly api: BoundApi;
      readonly signal: AbortSignal;
    }): Unit<BoundApi> => {
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
    units.follow(plan);
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
});
