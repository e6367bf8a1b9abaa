import { annotations } from '@klutch/api';
import type { Informer, Namespace, Subscriber } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { createOccupancy } from './occupancy.ts';

describe('what an app cluster occupies', () => {
  it('is what namespaces say that they belong to', () => {
    const { occupancy, tell } = open();
    tell('added', 'n1', 'cluster-a/x');
    tell('added', 'n2', 'cluster-a/y');
    tell('added', 'n3', 'cluster-b/x');
    tell('added', 'n4', undefined);

    expect(occupancy.used('cluster-a', 'n2')).toBe(1);
    expect(occupancy.used('cluster-a', 'n9')).toBe(2);
    expect(occupancy.used('cluster-b', 'n9')).toBe(1);

    tell('deleted', 'n1', 'cluster-a/x');
    expect(occupancy.used('cluster-a', 'n9')).toBe(1);
  });

  it('counts a namespace from the moment it is to be made, once', () => {
    const { occupancy, tell } = open();
    occupancy.reserve('cluster-a', 'n1');
    expect(occupancy.used('cluster-a', 'n2')).toBe(1);
    expect(occupancy.used('cluster-a', 'n1')).toBe(0);

    tell('added', 'n1', 'cluster-a/x');
    expect(occupancy.used('cluster-a', 'n2')).toBe(1);

    tell('deleted', 'n1', 'cluster-a/x');
    expect(occupancy.used('cluster-a', 'n2')).toBe(0);
  });

  it('forgets one that was not made, at once or after a minute', async () => {
    const { occupancy, clock } = open();
    occupancy.reserve('cluster-a', 'n1');
    occupancy.reserve('cluster-a', 'n2');
    occupancy.cancel('cluster-a', 'n1');
    expect(occupancy.used('cluster-a', 'n9')).toBe(1);

    await clock.advance(60_000);
    expect(occupancy.used('cluster-a', 'n9')).toBe(0);
  });

  it('is forgotten with the app cluster, however many come and go', async () => {
    const { occupancy, tell, clock } = open();
    for (let count = 0; count < 20; count++) {
      occupancy.reserve(`cluster-${count}`, `n${count}`);
      occupancy.reserve(`cluster-${count}`, `never-${count}`);
      tell('added', `n${count}`, `cluster-${count}/x`);
    }
    expect(occupancy.size).toBe(40);
    for (let count = 0; count < 20; count++) tell('deleted', `n${count}`, `cluster-${count}/x`);
    expect(occupancy.size).toBe(20);
    await clock.advance(60_000);
    expect(occupancy.size).toBe(0);
  });

  it('follows a namespace that changes hands', () => {
    const { occupancy, tell } = open();
    tell('added', 'n1', 'cluster-a/x');
    tell('updated', 'n1', 'cluster-b/x', 'cluster-a/x');

    expect(occupancy.used('cluster-a', 'n9')).toBe(0);
    expect(occupancy.used('cluster-b', 'n9')).toBe(1);
  });
});

function open() {
  const clock = createManualClock();
  let subscriber: Subscriber<Namespace> = () => {};
  const informer = {
    subscribe: (told: Subscriber<Namespace>) => {
      subscriber = told;
      return () => {};
    },
  } as unknown as Informer<Namespace>;
  const occupancy = createOccupancy(informer, clock);
  const tell = (type: 'added' | 'updated' | 'deleted', key: string, mapping?: string, before?: string) => {
    const object = namespace(key, mapping);
    subscriber(type === 'updated' ? { type, key, object, old: namespace(key, before) } : { type, key, object });
  };
  return { occupancy, tell, clock };
}

function namespace(name: string, mapping: string | undefined): Namespace {
  const notes = mapping === undefined ? {} : { annotations: { [annotations.apiServiceNamespace]: mapping } };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...notes } };
}
