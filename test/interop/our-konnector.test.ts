import {
  annotations,
  APIServiceExports,
  APIServiceNamespaces,
  ClusterBindings,
  ConditionType,
  CustomResourceDefinitions,
  finalizers,
  ResourceOwner,
} from '@klutch/api';
import { Namespaces, Secrets } from '@klutch/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onBothTiers, unique } from '../konnector/world.ts';
import { type Grant, isDocumented } from './documented-rights.ts';
import { openGoBackend } from './go-backend.ts';
import { markPending } from './go-cli.ts';
import { heartbeatMs, type OurKonnector, startOurs } from './our-konnector.ts';
import { recordedApi } from './recorded-api.ts';
import { type Scene, sceneOf, soon } from './scene.ts';
import { type SentRequest, writesIn } from './sent-requests.ts';
import { openStage, type Stage } from './stage.ts';

onBothTiers('our konnector with a Go backend', (clusters) => {
  let stage: Stage;
  let konnector: OurKonnector;
  let scene: Scene;
  const serviceNamespaces: string[] = [];

  beforeAll(async () => {
    stage = await openStage(clusters(), openGoBackend);
    konnector = await startOurs(stage);
    await stage.bind();
    await markPending(stage.cli);
    scene = sceneOf(stage);
    await soon(async () => (await clusterBinding()).status?.lastHeartbeatTime);
    await stage.side.answerHeartbeat();
  }, 120_000);

  afterAll(async () => {
    await konnector?.stop();
    await stage?.close();
  });

  const clusterBinding = () =>
    clusters()
      .controlPlane.admin.resource(ClusterBindings)
      .get({ namespace: stage.side.clusterNamespace, name: 'cluster' });

  it('KON-66 makes a binding of the Go CLI ready (KON-06)', async () => {
    const { SecretValid, InformersSynced, Heartbeating, Connected, Ready } = ConditionType;
    for (const type of [SecretValid, InformersSynced, Heartbeating, Connected, Ready]) {
      await stage.app.condition(stage.api, type, 'True');
    }
    await soon(async () => (await stage.app.binding(stage.api)).status?.providerPrettyName === 'lab');
  });

  it('KON-66 tells the Go backend what it wants to know about a connection, and leaves it its own (KON-52)', async () => {
    const first = (await clusterBinding()).status ?? {};
    expect(first).toMatchObject({ heartbeatInterval: `${heartbeatMs / 1000}s`, konnectorVersion: 'v1.2.3' });
    expect(first.lastHeartbeatTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const later = await soon(async () => {
      const { status } = await clusterBinding();
      return status?.lastHeartbeatTime !== first.lastHeartbeatTime && status;
    });
    const conditions = new Map(later.conditions?.map((condition) => [condition.type, condition]));
    expect(conditions.get('SecretValid')?.status).toBe('True');
    expect(conditions.get('ValidVersion')?.status).toBe('True');
    // The Go backend's own word, wrong as it usually is.
    expect(conditions.get('Healthy')).toMatchObject({ status: 'False', reason: 'HeartbeatTimeDrift' });
    expect(conditions.get('Ready')?.status).toBe('False');
  });

  it('KON-66 tells the Go backend about the API, and leaves it its own condition', async () => {
    const exports = clusters().controlPlane.admin.resource(APIServiceExports);
    await soon(async () => {
      const { status } = await exports.get({ namespace: stage.side.clusterNamespace, name: stage.api.name });
      const states = new Map(status?.conditions?.map((condition) => [condition.type, condition.status]));
      return (
        states.get('ProviderInSync') === 'True' &&
        states.get('Connected') === 'True' &&
        states.get('ConsumerInSync') === 'True' &&
        states.get('Established') === 'True' &&
        status?.acceptedNames?.kind === 'Widget' &&
        status.storedVersions?.includes('v1')
      );
    });
  });

  it('KON-66 makes a copy of a new object where the Go backend says (KON-17)', async () => {
    const original = await scene.create('first', { size: 1, tags: ['x'] }, { labels: { team: 'a' } });
    const copy = await scene.copyOf('first');
    const service = await stage.side.serviceNamespace(scene.appNamespace);

    expect(copy.metadata).toMatchObject({ namespace: service, labels: { team: 'a' } });
    expect(copy.metadata.annotations?.[annotations.bound]).toBe('true');
    expect(copy.metadata.uid).not.toBe(original.metadata.uid);
    expect(copy.metadata.ownerReferences).toBeUndefined();
    expect(copy.metadata.finalizers).toBeUndefined();
    expect(copy['status']).toBeUndefined();
    expect(copy['spec']).toEqual({ size: 1, tags: ['x'] });
    const after = await scene.original('first');
    expect(after.metadata.finalizers).toEqual([finalizers.syncer]);
    expect(after.metadata.annotations?.[annotations.bound]).toBe('true');
    const mapping = await clusters()
      .controlPlane.admin.resource(APIServiceNamespaces)
      .get({ namespace: stage.side.clusterNamespace, name: scene.appNamespace });
    expect(mapping.status?.namespace).toBe(service);
  });

  it('KON-66 carries changes of the spec, and removals (KON-18, KON-20)', async () => {
    await scene.create('edited', { size: 1, tags: ['x'], params: { k: 'v' } });
    await scene.copyOf('edited');
    await scene.edit('edited', { size: 2 });
    await scene.specIs('edited', { size: 2, tags: ['x'], params: { k: 'v' } });
    await scene.edit('edited', { tags: null, params: null });
    await scene.specIs('edited', { size: 2 });
  }, 60_000);

  it('KON-66 reverts what others change, and keeps what they add (KON-19)', async () => {
    await scene.create('drifting', { size: 1 });
    await scene.copyOf('drifting');
    await scene.editCopy('drifting', { size: 99, service: 'added' });
    await scene.specIs('drifting', { size: 1, service: 'added' });
  });

  it('KON-66 carries the status back, and its removal (KON-21)', async () => {
    await scene.create('reporting', { size: 1 });
    await scene.copyOf('reporting');
    await scene.setStatus('reporting', { phase: 'Ready', url: 'https://x' });
    await scene.statusIs('reporting', { phase: 'Ready', url: 'https://x' });
    await scene.setStatus('reporting', { url: null });
    await scene.statusIs('reporting', { phase: 'Ready' });
  });

  it('KON-66 makes a copy again that somebody deleted (KON-23)', async () => {
    await scene.create('lost', { size: 1 });
    const before = await scene.copyOf('lost');
    await scene.deleteCopy('lost');
    await soon(async () => (await scene.copyOf('lost')).metadata.uid !== before.metadata.uid);
  });

  it('KON-66 deletes the copy of an object that the user deletes (KON-24)', async () => {
    await scene.create('ending', { size: 1 });
    await scene.copyOf('ending');
    await scene.delete('ending');
    await soon(async () => (await scene.findOriginal('ending')) === undefined);
    expect(await scene.findCopy('ending')).toBeUndefined();
  });

  it('KON-66 brings credentials, and keeps them as the provider has them (KON-40, KON-41)', async () => {
    await scene.create('served', { size: 1 });
    await scene.copyOf('served');
    const namespace = await stage.side.serviceNamespace(scene.appNamespace);
    const app = clusters().app.admin.resource(Secrets);
    const controlPlane = clusters().controlPlane.admin.resource(Secrets);
    const there = { namespace, name: 'creds' };
    const here = { namespace: scene.appNamespace, name: 'creds' };
    const password = async (expected: string) =>
      await soon(async () => (await app.find(here))?.data?.['password'] === expected);

    await controlPlane.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: there,
      type: 'example.org/credentials',
      data: { password: 'cDE=' },
    });
    const copy = await soon(() => app.find(here));
    expect(copy).toMatchObject({ type: 'example.org/credentials', data: { password: 'cDE=' } });
    expect(copy.metadata.annotations?.[annotations.resourceOwner]).toBe(ResourceOwner.Provider);
    await soon(
      async () =>
        (await controlPlane.get(there)).metadata.annotations?.[annotations.resourceOwner] === ResourceOwner.Provider,
    );

    await controlPlane.patch(there, { type: 'merge', patch: { data: { password: 'cDI=' } } });
    await password('cDI=');
    await app.patch(here, { type: 'merge', patch: { data: { password: 'WFg=' } } });
    await password('cDI=');
    await app.delete(here);
    await password('cDI=');
    await controlPlane.delete(there);
    await soon(async () => (await app.find(here)) === undefined);
  });

  it('KON-66 gives a namespace back when the user deletes it (KON-33)', async () => {
    const other = sceneOf(stage, unique('team'));
    await other.create('w', { size: 1 });
    await other.copyOf('w');
    const service = await stage.side.serviceNamespace(other.appNamespace);
    serviceNamespaces.push(service);
    const { app, controlPlane } = clusters();
    await app.admin.resource(Namespaces).delete({ name: other.appNamespace });
    const mappings = controlPlane.admin.resource(APIServiceNamespaces);
    const place = { namespace: stage.side.clusterNamespace, name: other.appNamespace };
    await soon(async () => (await mappings.find(place)) === undefined, 60_000);
    await soon(
      async () => (await controlPlane.admin.resource(Namespaces).find({ name: service })) === undefined,
      60_000,
    );
  }, 150_000);

  it('KON-66 follows a change of the schema by the Go backend', async () => {
    await scene.create('growing', { size: 1 });
    await scene.copyOf('growing');
    await stage.side.extendSchema();
    const crds = clusters().app.admin.resource(CustomResourceDefinitions);
    await soon(async () => JSON.stringify((await crds.get({ name: stage.api.name })).spec).includes('"extra"'));
    await scene.edit('growing', { size: 2 });
    await scene.specIs('growing', { size: 2 });
    // Watches of the embedded server go on after a change of the schema, and show objects in the old one.
    if (clusters().tier === 'embedded') return;
    let edits = 0;
    await soon(
      async () => {
        // An edit in the middle of the change may still be seen in the old schema.
        const extra = `x${edits++}`;
        await scene.edit('growing', { extra });
        return ((await scene.copyOf('growing'))['spec'] as { extra?: string }).extra !== undefined;
      },
      30_000,
      500,
    );
  }, 90_000);

  it('KON-66 rests when there is nothing to do, and never needs more than the documented rights', async () => {
    await scene.create('resting', { size: 1 });
    await scene.copyOf('resting');
    serviceNamespaces.push(await stage.side.serviceNamespace(scene.appNamespace));
    const beats = () => konnector.sent.filter(isHeartbeat).length;
    const quietFrom = await quiet();
    const before = beats();
    await soon(async () => beats() >= before + 2);

    const since = konnector.sent.slice(quietFrom);
    expect(writesIn(since).filter((request) => !isHeartbeat(request))).toEqual([]);
    expect(since.filter(({ status }) => status >= 400)).toEqual([]);
    const grant: Grant = {
      clusterNamespace: stage.side.clusterNamespace,
      serviceNamespaces: new Set(serviceNamespaces),
      types: [`${stage.api.group}/widgets`, 'secrets'],
    };
    const upwards = konnector.sent.filter(({ side }) => side === 'control-plane');
    expect(upwards.length).toBeGreaterThan(0);
    const beyond = upwards.filter((request) => !isDocumented(request, grant) && !isDiscovery(request));
    expect(beyond.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    const forbidden = upwards.filter(({ status, path }) => status === 403 && !isInServiceNamespace(path));
    expect(forbidden).toEqual([]);
  }, 90_000);

  /** Kubernetes answers everybody who asks which types there are. */
  function isDiscovery({ method, path }: SentRequest): boolean {
    return method === 'GET' && (path === '/api' || path === '/apis');
  }

  /** Where rights come with the namespace, a refusal at first is nothing to worry about. */
  function isInServiceNamespace(path: string): boolean {
    return serviceNamespaces.some((namespace) => path.includes(`/namespaces/${namespace}/`));
  }

  /** Waits until no write but heartbeats was sent for a while; the number of requests by then. */
  async function quiet(): Promise<number> {
    let seen = -1;
    let from = 0;
    await soon(
      async () => {
        const writes = writesIn(konnector.sent).filter((request) => !isHeartbeat(request)).length;
        const isSame = writes === seen;
        if (!isSame) from = konnector.sent.length;
        seen = writes;
        return isSame;
      },
      30_000,
      2_000,
    );
    return from;
  }

  function isHeartbeat({ path }: { readonly path: string }): boolean {
    return path.includes('/clusterbindings/cluster/status');
  }

  describe('for an API without status subresource', () => {
    it('KON-66 carries the spec up and the status down without errors (KON-22)', async () => {
      const bare = await openStage(clusters(), openGoBackend, recordedApi({ withoutStatusSubresource: true }));
      const ours = await startOurs(bare);
      await bare.bind();
      const objects = sceneOf(bare);
      await bare.app.condition(bare.api, ConditionType.Ready, 'True');
      await objects.create('w', { size: 1 });
      await objects.copyOf('w');
      await objects.edit('w', { size: 2 });
      await objects.specIs('w', { size: 2 });
      await clusters()
        .controlPlane.admin.resource(bare.api.type)
        .patch(await objects.copyRef('w'), { type: 'merge', patch: { status: { phase: 'Ready' } } });
      await objects.statusIs('w', { phase: 'Ready' });
      expect(ours.sent.filter(({ path, status }) => path.includes('/widgets/w') && status >= 400)).toEqual([]);
      await ours.stop();
      await bare.close();
    }, 90_000);
  });
});
