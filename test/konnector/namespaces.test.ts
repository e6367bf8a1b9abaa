import { type APIServiceNamespace, APIServiceNamespaces, annotations, apiVersion } from '@klutch/api';
import { Namespaces, systemClock } from '@klutch/kube';
import { type Link, type Mapping, type NamespaceMap, runNamespaces } from '@klutch/konnector/parts';
import { eventually } from '@klutch/kube/testing';
import { expect, it, vi } from 'vitest';
import {
  type AppSide,
  type Clusters,
  createTenant,
  onBothTiers,
  openAppSide,
  openLink,
  stayQuiet,
  type TestLinkOptions,
  type TestTenant,
  unique,
} from './world.ts';

vi.setConfig({ testTimeout: 120_000 });

interface Scene {
  readonly tenant: TestTenant;
  readonly side: AppSide;
  /** Starts the part on a link of its own; it ends with the scene, or when stopped. */
  start(options?: StartOptions): Promise<Started>;
  /** The APIServiceNamespace of that name. */
  mapping(name: string): Promise<APIServiceNamespace | undefined>;
  /** Asks as the Go konnector does: without saying for whom. */
  askAsGo(name: string): Promise<void>;
  /** Answers as a backend. */
  answer(name: string, serviceNamespace: string): Promise<void>;
  /** Deletes a Namespace of the app cluster and waits until it is gone. */
  deleteNamespace(name: string): Promise<void>;
  close(): Promise<void>;
}

interface StartOptions extends TestLinkOptions {
  readonly stillUsed?: (serviceNamespace: string) => boolean;
  readonly mayTakeOverFrom?: (cluster: string) => boolean;
  /** Changes the link before it is used. */
  readonly linkWith?: Partial<Link>;
}

interface Started {
  readonly map: NamespaceMap;
  readonly writes: readonly { readonly method: string; readonly path: string }[];
  stop(): Promise<void>;
}

async function openScene({ app, controlPlane }: Clusters): Promise<Scene> {
  const tenant = await createTenant(controlPlane);
  const side = await openAppSide(app);
  const started = new Set<Started>();
  const mappings = controlPlane.admin.resource(APIServiceNamespaces);
  const namespace = tenant.clusterNamespace;
  return {
    tenant,
    side,
    mapping: (name) => mappings.find({ namespace, name }),
    askAsGo: async (name) => {
      await mappings.create({ apiVersion, kind: 'APIServiceNamespace', metadata: { namespace, name }, spec: {} });
    },
    answer: async (name, serviceNamespace) => {
      const patch = { status: { namespace: serviceNamespace } };
      await mappings.patch({ namespace, name }, { type: 'merge', patch }, { subresource: 'status' });
    },
    deleteNamespace: async (name) => {
      const namespaces = app.admin.resource(Namespaces);
      await namespaces.delete({ name });
      await eventually(async () => (await namespaces.find({ name })) === undefined, { withinMs: 60_000 });
    },
    start: async ({ stillUsed = () => false, mayTakeOverFrom, linkWith = {}, ...options } = {}) => {
      const { link, writes, close } = await openLink(side, tenant, options);
      const stop = new AbortController();
      const part = runNamespaces({ link: { ...link, ...linkWith }, stillUsed, mayTakeOverFrom, signal: stop.signal });
      const result: Started = {
        map: part.map,
        writes,
        stop: async () => {
          started.delete(result);
          stop.abort();
          await part.stopped;
          await close();
        },
      };
      started.add(result);
      await part.ready;
      return result;
    },
    close: async () => {
      await Promise.all([...started].map((one) => one.stop()));
      await tenant.close();
    },
  };
}

const reaches = (map: NamespaceMap, name: string, state: Mapping['state']) =>
  eventually(
    () => {
      const mapping = map.of(name);
      if (mapping.state === state) return mapping;
      throw new Error(`${name} is ${JSON.stringify(mapping)}`);
    },
    { withinMs: 60_000 },
  );

onBothTiers('namespaces', (clusters) => {
  it('KON-17 asks for a place with its origin written down, and follows the answer', async () => {
    const { tenant, side, start, mapping, close } = await openScene(clusters());
    const { map, writes } = await start();
    const namespace = await side.namespace();
    const { name } = namespace.metadata;
    const told: string[] = [];
    map.subscribe((changed) => told.push(`${changed} ${map.of(changed).state}`));
    expect(map.of(name)).toEqual({ state: 'unknown' });

    map.want(name);
    map.want(name);
    const service = await tenant.serviceNamespace(name);
    expect(await reaches(map, name, 'ready')).toEqual({ state: 'ready', serviceNamespace: service });
    expect(map.appNamespaceOf(service)).toBe(name);
    expect([...map.entries()]).toContainEqual([name, service]);
    expect(told).toEqual([`${name} waiting`, `${name} ready`]);
    expect(await mapping(name)).toMatchObject({
      metadata: {
        annotations: {
          [annotations.sourceCluster]: side.cluster.id,
          [annotations.sourceUid]: namespace.metadata.uid,
        },
      },
    });
    await eventually(
      async () => (await mapping(name))?.metadata.annotations?.[annotations.serviceNamespace] === service,
    );
    expect(writes.map(({ method }) => method)).toEqual(['POST', 'PATCH']);
    await close();
  });

  it('KON-33 gives the place up when the Namespace is gone and nothing of it is left', async () => {
    const { tenant, side, start, mapping, deleteNamespace, close } = await openScene(clusters());
    const inUse = new Set<string>();
    const { map } = await start({ stillUsed: (service) => inUse.has(service) });
    const { name } = (await side.namespace()).metadata;
    map.want(name);
    const service = await tenant.serviceNamespace(name);
    await reaches(map, name, 'ready');
    inUse.add(service);

    await deleteNamespace(name);
    expect(await reaches(map, name, 'ending')).toEqual({ state: 'ending', serviceNamespace: service });
    await stayQuiet(1_500);
    expect(await mapping(name)).toBeDefined();

    inUse.clear();
    await reaches(map, name, 'unknown');
    expect(await mapping(name)).toBeUndefined();
    expect([...map.entries()]).not.toContainEqual([name, service]);

    await close();
  });

  it('KON-33 gives up places of Namespaces that were deleted while nobody looked', async () => {
    const { side, start, mapping, deleteNamespace, close } = await openScene(clusters());
    const { map, stop } = await start();
    const { name } = (await side.namespace()).metadata;
    map.want(name);
    await reaches(map, name, 'ready');
    await stop();
    await deleteNamespace(name);

    const again = await start();
    await reaches(again.map, name, 'unknown');
    await eventually(async () => (await mapping(name)) === undefined);
    await close();
  });

  it('KON-34 a Namespace without an answer delays no other, and says so', async () => {
    const { tenant, side, start, close } = await openScene(clusters());
    const stuck = (await side.namespace()).metadata.name;
    const other = (await side.namespace()).metadata.name;
    const release = tenant.hold(stuck);
    const { map } = await start({ linkWith: { clock: fastClock } });
    map.want(stuck);
    map.want(other);
    await reaches(map, other, 'ready');
    const problem = await eventually(() => problemOf(map.of(stuck)), { withinMs: 60_000 });
    expect(problem).toContain(`has not provided a place for namespace ${stuck}`);
    expect(problem).toContain('whether the backend runs');
    release();
    await reaches(map, stuck, 'ready');
    await close();
  });

  it('KON-35 explains that a name is too long for the backend', async () => {
    const { side, start, close } = await openScene(clusters());
    const { name } = (await side.namespace('n'.repeat(50))).metadata;
    const { map } = await start({ linkWith: { clock: fastClock } });
    map.want(name);
    const problem = await eventually(() => problemOf(map.of(name)), { withinMs: 60_000 });
    expect(problem).toMatch(/too long for many backends: use a namespace whose name has at most \d+ characters/);
    await close();
  });

  it('KON-27 a rebuilt app cluster neither uses nor deletes what the old one left', async () => {
    const { side, start, mapping, deleteNamespace, close } = await openScene(clusters());
    const { map, stop } = await start();
    const kept = (await side.namespace()).metadata.name;
    const lost = (await side.namespace()).metadata.name;
    for (const name of [kept, lost]) map.want(name);
    for (const name of [kept, lost]) await reaches(map, name, 'ready');
    await stop();
    await deleteNamespace(lost);

    const rebuilt = await start({ appClusterId: 'another-cluster' });
    rebuilt.map.want(kept);
    const problem = await eventually(() => problemOf(rebuilt.map.of(kept)), { withinMs: 30_000 });
    expect(problem).toContain(`take-over-from=${side.cluster.id}`);
    await reaches(rebuilt.map, lost, 'refused');
    await stayQuiet(1_000);
    expect(await mapping(lost)).toBeDefined();
    expect(rebuilt.writes).toEqual([]);
    await rebuilt.stop();

    const taking = await start({
      appClusterId: 'another-cluster',
      mayTakeOverFrom: (cluster) => cluster === side.cluster.id,
    });
    await reaches(taking.map, kept, 'ready');
    await eventually(async () => {
      const notes = (await mapping(kept))?.metadata.annotations;
      return notes?.[annotations.sourceCluster] === 'another-cluster';
    });
    expect(await mapping(lost)).toBeDefined();
    await close();
  });

  it('KON-27 an app cluster that was set back deletes nothing', async () => {
    const { side, start, mapping, deleteNamespace, close } = await openScene(clusters());
    const { map, stop } = await start();
    const { name } = (await side.namespace()).metadata;
    map.want(name);
    await reaches(map, name, 'ready');
    await stop();
    await deleteNamespace(name);

    const restored = await start({ isSetBack: true });
    await reaches(restored.map, name, 'ready');
    await stayQuiet(1_500);
    expect(await mapping(name)).toBeDefined();
    expect(restored.writes).toEqual([]);
    await close();
  });

  it('KON-68 takes over what a Go konnector asked for, and keeps what it left of unseen Namespaces', async () => {
    const { tenant, side, start, mapping, askAsGo, close } = await openScene(clusters());
    const namespace = await side.namespace();
    const { name } = namespace.metadata;
    const unseen = unique('gone');
    for (const one of [name, unseen]) await askAsGo(one);
    await tenant.serviceNamespace(name);
    await tenant.serviceNamespace(unseen);

    const { map, writes } = await start();
    await reaches(map, name, 'ready');
    await reaches(map, unseen, 'ready');
    await eventually(async () => {
      const notes = (await mapping(name))?.metadata.annotations;
      return notes?.[annotations.sourceUid] === namespace.metadata.uid;
    });
    await stayQuiet(1_500);
    expect((await mapping(unseen))?.metadata.annotations).toBeUndefined();
    expect(writes.map(({ method }) => method)).toEqual(['PATCH']);
    await close();
  });

  it('KON-68 a Namespace that was deleted before a Go konnector asked proves nothing about its place', async () => {
    const { tenant, side, start, mapping, askAsGo, deleteNamespace, close } = await openScene(clusters());
    const { map } = await start();
    const { name } = (await side.namespace()).metadata;
    const { name: seenLater } = (await side.namespace()).metadata;
    await deleteNamespace(name);
    map.want(seenLater);
    await reaches(map, seenLater, 'ready');

    await askAsGo(name);
    await tenant.serviceNamespace(name);
    await reaches(map, name, 'ready');
    await stayQuiet(1_500);
    expect(await mapping(name)).toBeDefined();
    await close();
  });

  it('forgets Namespaces that are nowhere to be seen, and why they had no place', async () => {
    const { tenant, side, start, deleteNamespace, close } = await openScene(clusters());
    const { map } = await start({ linkWith: { clock: fastClock } });
    const never = unique('never');
    map.want(never);
    await reaches(map, never, 'waiting');
    await reaches(map, never, 'unknown');

    const { name } = (await side.namespace()).metadata;
    tenant.door.shut();
    map.want(name);
    await eventually(() => problemOf(map.of(name))?.includes('could not be asked for'), { withinMs: 60_000 });
    await deleteNamespace(name);
    await reaches(map, name, 'unknown');
    tenant.door.open();
    const told: (string | undefined)[] = [];
    map.subscribe((changed) => changed === name && told.push(problemOf(map.of(changed))));
    await clusters().app.admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    map.want(name);
    await reaches(map, name, 'ready');
    expect(told.filter((problem) => problem?.includes('could not be asked for'))).toEqual([]);
    await close();
  });

  it('refuses a service namespace that belongs to another Namespace, or that changed', async () => {
    const { tenant, side, start, mapping, answer, close } = await openScene(clusters());
    const first = (await side.namespace()).metadata.name;
    const second = (await side.namespace()).metadata.name;
    const { map } = await start();
    map.want(first);
    await reaches(map, first, 'ready');
    const service = await tenant.serviceNamespace(first);
    const release = tenant.hold(second);
    map.want(second);
    await eventually(() => mapping(second));
    await answer(second, service);
    expect(problemOf(await reaches(map, second, 'refused'))).toContain(`gave ${service} to namespace ${first}`);
    expect(map.appNamespaceOf(service)).toBe(first);

    await answer(first, `${service}-moved`);
    const moved = await reaches(map, first, 'refused');
    expect(problemOf(moved)).toContain('a place never changes');
    expect(moved).toMatchObject({ movedFrom: service });
    const { map: later } = await start();
    expect(await reaches(later, first, 'refused')).toEqual(moved);
    release();
    await close();
  });
});

/** A clock on which ten seconds pass in one. */
const fastClock = {
  now: () => systemClock.now() * 10,
  date: () => new Date(1_700_000_000_000 + systemClock.now() * 10),
  after: (ms: number, callback: () => void) => systemClock.after(ms / 10, callback),
};

function problemOf(mapping: Mapping): string | undefined {
  return 'problem' in mapping ? mapping.problem : undefined;
}
