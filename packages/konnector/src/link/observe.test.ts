import { connect, type Lease, Leases, type ResourceClient, startInformer } from '@klutch/kube';
import { eventually, ModelThings, startModelApi } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { observeLease } from './observe-lease.ts';
import { observeVersions } from './observe-versions.ts';

describe('an API server under observation', () => {
  it('is known to be set back before anybody sees what is missing', async () => {
    const server = await startModelApi();
    const client = connect({ server: server.url, source: 'test', auth: { kind: 'none' } }, { userAgent: 'test' });
    const observed = observeVersions(client);
    const stop = new AbortController();
    const informer = startInformer(
      { client: observed.client.resource(ModelThings), backoff: { baseMs: 1, capMs: 10 } },
      stop.signal,
    );
    await informer.synced;
    const before = server.snapshot();
    server.put('x', {});
    await eventually(() => informer.cache.size === 1);
    expect(observed.timesWentBack()).toBe(0);

    const known: number[] = [];
    informer.subscribe(({ type }) => {
      if (type === 'deleted') known.push(observed.timesWentBack());
    });
    server.restore(before);
    await eventually(() => known.length === 1);

    expect(known[0]).toBeGreaterThan(0);
    stop.abort();
    await informer.stopped;
    await client.close();
    await server.close();
  });

  it('is known to be set back by what another process has seen', async () => {
    const server = await startModelApi();
    const client = connect({ server: server.url, source: 'test', auth: { kind: 'none' } }, { userAgent: 'test' });
    const first = observeVersions(client);
    const before = server.snapshot();
    server.put('x', {});
    await first.client.resource(ModelThings).list();

    const second = observeVersions(client, first.versions());
    await second.client.resource(ModelThings).list();
    expect(second.timesWentBack()).toBe(0);
    server.restore(before);
    const third = observeVersions(client, second.versions());
    expect(third.versions()).toEqual(second.versions());
    await third.client.resource(ModelThings).list();

    expect(third.timesWentBack()).toBe(1);
    expect(third.versions()).not.toEqual(second.versions());
    await client.close();
    await server.close();
  });

  it('is not blamed for answers that overtake each other', async () => {
    const server = await startModelApi();
    const client = connect({ server: server.url, source: 'test', auth: { kind: 'none' } }, { userAgent: 'test' });
    const observed = observeVersions(client);
    const things = observed.client.resource(ModelThings);
    for (let round = 0; round < 20; round++) {
      server.put(`x-${round}`, {});
      await Promise.all([things.list(), things.list({ limit: 1 }), collect(things.pages({ limit: 3 }))]);
    }

    expect(observed.timesWentBack()).toBe(0);
    await client.close();
    await server.close();
  });
});

async function collect<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

describe('a lease under observation', () => {
  const lease = (minute: number, version?: number): Lease => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'klutch-bind', ...(version ? { resourceVersion: String(version) } : {}) },
    spec: { renewTime: `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000000Z` },
  });

  function open() {
    const world: { lease: Lease | undefined } = { lease: undefined };
    const leases = {
      type: Leases,
      find: async () => world.lease,
      create: async (wanted: Lease) => {
        world.lease = wanted;
        return wanted;
      },
      replace: async (wanted: Lease) => {
        world.lease = wanted;
        return wanted;
      },
    } as unknown as ResourceClient<Lease>;
    const client = { transport: {} as never, resource: () => leases as never, close: async () => {} };
    const observed = observeLease(client);
    return { world, observed, leases: observed.client.resource(Leases) };
  }

  it('is remembered as it was before it was taken', async () => {
    const { world, observed, leases } = open();
    await leases.find({ name: 'klutch-bind' });
    expect(observed.lastRenewal()).toBeUndefined();

    world.lease = lease(1);
    await leases.find({ name: 'klutch-bind' });
    await leases.replace(lease(20));

    expect(observed.lastRenewal()).toEqual(new Date('2026-01-01T00:01:00Z'));
    expect(observed.timesWentBack()).toBe(0);
  });

  it('remembers what was seen of control planes, for whoever holds it next', async () => {
    const { observed, leases } = open();
    const seen = (version: string) => new Map([['v1/secrets', version]]);
    let version = '5';
    observed.inheritVersions();
    observed.remember('a', () => seen(version));
    observed.remember('b', () => seen('1'));
    await leases.create(lease(1));
    version = '6';
    const held = await leases.replace(lease(2));

    const next = open();
    next.world.lease = held;
    await next.leases.find({ name: 'klutch-bind' });
    expect(next.observed.inheritVersions()).toEqual(
      new Map([
        ['a', seen('6')],
        ['b', seen('1')],
      ]),
    );

    // Of a tenant that it does not serve it hands on what it has inherited.
    next.observed.remember('a', () => seen('9'));
    await next.leases.replace(held);
    const last = open();
    last.world.lease = next.world.lease;
    await last.leases.find({ name: 'klutch-bind' });
    expect(last.observed.inheritVersions()).toEqual(
      new Map([
        ['a', seen('9')],
        ['b', seen('1')],
      ]),
    );
  });

  it('betrays that it is older than what was written', async () => {
    const { world, observed, leases } = open();
    await leases.replace(lease(20));
    world.lease = lease(1);
    await leases.find({ name: 'klutch-bind' });
    await leases.find({ name: 'klutch-bind' });

    expect(observed.timesWentBack()).toBe(1);
  });

  it('betrays a storage that was replaced by its version, at once', async () => {
    const { world, observed, leases } = open();
    await leases.replace(lease(2, 20));
    world.lease = lease(2, 10);
    await leases.find({ name: 'klutch-bind' });

    expect(observed.timesWentBack()).toBe(1);
  });

  it('betrays a storage without it by the version of the next one', async () => {
    const { world, observed, leases } = open();
    await leases.replace(lease(2, 20));
    world.lease = undefined;
    await leases.find({ name: 'klutch-bind' });
    await leases.create(lease(3, 10));

    expect(observed.timesWentBack()).toBe(1);
  });
});
