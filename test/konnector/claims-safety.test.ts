import { EventEmitter, once } from 'node:events';
import { annotations, APIServiceNamespaces, labels } from '@klutch/api';
import { type Interceptor, KubeError, type KubeRequest, type Logger, Namespaces, Secrets } from '@klutch/kube';
import { createFaults, eventually } from '@klutch/kube/testing';
import { expect, it, vi } from 'vitest';
import { type Claim, encoded, openClaimsScene, passOne, secret, secretWith } from './claims-scene.ts';
import { onBothTiers } from './world.ts';

vi.setConfig({ testTimeout: 120_000 });

const provider: Claim = { group: '', resource: 'secrets', selector: { owner: 'Provider' } };
const consumer: Claim = { group: '', resource: 'secrets', selector: { owner: 'Consumer' } };
const goOwned = (owner: 'Provider' | 'Consumer') => ({
  metadata: { annotations: { [annotations.resourceOwner]: owner } },
});

onBothTiers('claims that must do no harm', (clusters) => {
  it('KON-41 (W11) deletes the copy of what was deleted while the watch was broken', async () => {
    const { app, controlPlane, appNamespace, service, door, start, close } = await openClaimsScene(clusters());
    const faults = createFaults();
    await start([provider], { controlPlaneInterceptors: [faults.interceptor] });
    await controlPlane.resource(Secrets).create(secret(service, 'db', { key: 'x' }));
    await secretWith(app, appNamespace, 'db', { key: 'x' });
    faults.add({
      fault: { type: 'status', status: 410 },
      when: ({ mode, path }) => mode === 'stream' && path.includes(`/${service}/secrets`),
      times: 1,
    });
    door.shut();
    await controlPlane.resource(Secrets).delete({ namespace: service, name: 'db' });
    door.open();
    await secretWith(app, appNamespace, 'db', undefined);
    await passOne(controlPlane, service, app, appNamespace);
    await close();
  });

  it('KON-41 (W32) takes the copy back while the original is being deleted, and does not make it again', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const there = controlPlane.resource(Secrets);
    const { objectWrites } = await start([provider]);
    await there.create(secret(service, 'db', { key: 'x' }, { metadata: { finalizers: ['example.org/hold'] } }));
    await secretWith(app, appNamespace, 'db', { key: 'x' });
    await there.delete({ namespace: service, name: 'db' });
    await secretWith(app, appNamespace, 'db', undefined);
    await there.patch(
      { namespace: service, name: 'db' },
      { type: 'merge', patch: { metadata: { labels: { touched: 'yes' } } } },
    );
    await passOne(controlPlane, service, app, appNamespace);
    expect(await app.resource(Secrets).find({ namespace: appNamespace, name: 'db' })).toBeUndefined();
    expect(objectWrites().filter(({ side, method }) => side === 'app' && method === 'DELETE')).toHaveLength(1);
    await there.patch({ namespace: service, name: 'db' }, { type: 'merge', patch: { metadata: { finalizers: null } } });
    await close();
  });

  it('KON-41 does not lose a deletion that is seen while a change is on its way', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const gate = createGate(({ method, path }) => method === 'PUT' && path.includes(`/${service}/secrets/db`));
    // Absence proves nothing, so that only what was seen counts.
    await start([consumer], { hasMark: false, controlPlaneInterceptors: [gate.interceptor] });
    const here = app.resource(Secrets);
    await here.create(secret(appNamespace, 'db', { key: 'x' }));
    await secretWith(controlPlane, service, 'db', { key: 'x' });

    const patch = { data: { key: encoded('y') } };
    await here.patch({ namespace: appNamespace, name: 'db' }, { type: 'merge', patch });
    await gate.reached;
    await here.delete({ namespace: appNamespace, name: 'db' });
    await passOne(app, appNamespace, controlPlane, service);
    gate.open();

    await secretWith(controlPlane, service, 'db', undefined);
    await close();
  });

  it('KON-41 deletes the copy of what was deleted before the answer to a write about it arrived', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const isMark = ({ method, path }: KubeRequest) => method === 'PATCH' && path.includes(`/${service}/secrets/db`);
    const gate = createGate(isMark, 'answers');
    await start([provider], { controlPlaneInterceptors: [gate.interceptor] });
    await controlPlane.resource(Secrets).create(secret(service, 'db', { key: 'x' }));
    await gate.reached;
    await controlPlane.resource(Secrets).delete({ namespace: service, name: 'db' });
    await passOne(controlPlane, service, app, appNamespace);
    gate.open();

    await secretWith(app, appNamespace, 'db', undefined);
    await close();
  });

  it('KON-43 leaves alone what a person made from a copy', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const here = app.resource(Secrets);
    await start([provider]);
    await controlPlane.resource(Secrets).create(secret(service, 'db', { key: 'x' }));
    await secretWith(app, appNamespace, 'db', { key: 'x' });
    const { metadata, ...rest } = await here.get({ namespace: appNamespace, name: 'db' });
    const { labels: theLabels, annotations: theAnnotations } = metadata;
    const twin = await here.create({
      ...rest,
      metadata: { name: 'db-twin', namespace: appNamespace, labels: theLabels, annotations: theAnnotations },
    });
    await passOne(controlPlane, service, app, appNamespace);
    await controlPlane.resource(Secrets).delete({ namespace: service, name: 'db' });
    await secretWith(app, appNamespace, 'db', undefined);
    await passOne(controlPlane, service, app, appNamespace);
    expect(await here.get({ namespace: appNamespace, name: 'db-twin' })).toEqual(twin);
    await close();
  });

  it('KON-57 two control planes in one namespace leave each other alone', async () => {
    const one = await openClaimsScene(clusters());
    const two = await openClaimsScene(clusters(), { appNamespace: one.appNamespace });
    const { app, appNamespace, controlPlane } = one;
    const there = controlPlane.resource(Secrets);
    await one.start([provider]);
    const second = await two.start([{ ...provider, selector: {} }]);
    await there.create(secret(one.service, 'first', { from: 'one' }));
    await there.create(secret(two.service, 'second', { from: 'two' }));
    await secretWith(app, appNamespace, 'first', { from: 'one' });
    await secretWith(app, appNamespace, 'second', { from: 'two' });

    await there.create(secret(two.service, 'first', { from: 'two' }));
    await second.becomes('False', 'ClaimConflict');
    await passOne(controlPlane, one.service, app, appNamespace);
    await passOne(controlPlane, two.service, app, appNamespace);
    await secretWith(app, appNamespace, 'first', { from: 'one' });
    await secretWith(app, appNamespace, 'second', { from: 'two' });
    await there.delete({ namespace: one.service, name: 'first' });
    await secretWith(app, appNamespace, 'first', { from: 'two' });
    await Promise.all([one.close(), two.close()]);
  });

  it('KON-68 takes over copies of a Go konnector in place, and deletes none that it does not understand', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const here = app.resource(Secrets);
    const there = controlPlane.resource(Secrets);
    const asGo = { fieldManager: 'konnector' };
    await there.create(secret(service, 'db', { key: 'x' }, goOwned('Provider')));
    await here.create(secret(appNamespace, 'mine', { key: 'y' }, goOwned('Consumer')));
    const stale = { metadata: { ...goOwned('Provider').metadata, labels: { stale: 'yes' } } };
    const copies = [
      await here.create(secret(appNamespace, 'db', { key: 'old', gone: 'x' }, stale), asGo),
      await there.create(secret(service, 'mine', { key: 'y' }, goOwned('Consumer')), asGo),
    ];
    const orphans = [
      await here.create(secret(appNamespace, 'lost', { key: 'z' }, goOwned('Provider')), asGo),
      await there.create(secret(service, 'lost-too', { key: 'z' }, goOwned('Consumer')), asGo),
    ];
    await start([{ ...provider, selector: {} }]);
    const taken = await secretWith(app, appNamespace, 'db', { key: 'x' });
    expect(taken === true || [taken.metadata.uid, taken.metadata.labels]).toEqual([
      copies[0]?.metadata.uid,
      { [labels.claimedFrom]: 'Provider' },
    ]);
    await eventually(async () => {
      const { metadata } = await there.get({ namespace: service, name: 'mine' });
      return (
        metadata.uid === copies[1]?.metadata.uid && metadata.annotations?.[annotations.sourceCluster] !== undefined
      );
    });
    await passOne(controlPlane, service, app, appNamespace);
    expect(await here.get({ namespace: appNamespace, name: 'lost' })).toEqual(orphans[0]);
    expect(await there.get({ namespace: service, name: 'lost-too' })).toEqual(orphans[1]);

    await there.delete({ namespace: service, name: 'db' });
    await secretWith(app, appNamespace, 'db', undefined);
    await close();
  });

  it('KON-33 lets go of a service namespace when the copies of the deleted Namespace are gone', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    await start([consumer], { givesUp: true });
    await app.resource(Secrets).create(secret(appNamespace, 'mine', { key: 'y' }));
    await secretWith(controlPlane, service, 'mine', { key: 'y' });
    await app.resource(Namespaces).delete({ name: appNamespace });
    await eventually(async () => (await app.resource(Namespaces).find({ name: appNamespace })) === undefined, {
      withinMs: 60_000,
    });
    await eventually(
      async () => {
        const { items } = await controlPlane.resource(APIServiceNamespaces).list();
        return items.every(({ metadata }) => metadata.name !== appNamespace);
      },
      { withinMs: 60_000 },
    );
    await close();
  });

  it('KON-51 no log line, condition or error tells of a secret, not even when a server quotes it', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const lines: string[] = [];
    const write = (fields: object, message: string) => void lines.push(`${message} ${describe(fields)}`);
    const log: Logger = { debug: write, info: write, warn: write, error: write };
    let refusals = 3;
    const quoting: Interceptor = (next) => async (request) => {
      if (request.method !== 'POST' || !request.path.includes('/secrets') || refusals-- <= 0) return next(request);
      const escaped = JSON.stringify(key);
      const message = `Invalid value: ${request.body ?? ''} that is ${password}, ${escaped}, ${escaped.slice(0, 60)}...`;
      throw new KubeError('KUBE_INVALID', message, {
        status: 422,
        body: { kind: 'Status', apiVersion: 'v1', message },
      });
    };
    const { becomes } = await start([{ ...provider, selector: {} }], { log, appInterceptors: [quoting] });
    await controlPlane.resource(Secrets).create(secret(service, 'db', { password, key }));
    const told = await becomes('False', 'ClaimRefused');
    await secretWith(app, appNamespace, 'db', { password, key });
    await app.resource(Secrets).create(secret(appNamespace, 'mine', { password }));
    await secretWith(controlPlane, service, 'mine', { password });
    await controlPlane.resource(Secrets).delete({ namespace: service, name: 'db' });
    await secretWith(app, appNamespace, 'db', undefined);
    await becomes('True');
    expect(lines.some((line) => line.includes('will be tried again'))).toBe(true);
    for (const text of [told, ...lines]) {
      expect(text).not.toContain(password);
      expect(text).not.toContain(encoded(password));
      expect(text).not.toContain('MIIEow');
    }
    await close();
  });
});

const password = 'correct-horse-battery-staple';
/** Has line ends, which every encoding writes differently. */
const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx\n-----END RSA PRIVATE KEY-----\n';

/** Everything in log fields, errors with all they hold. */
function describe(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Error
      ? Object.fromEntries(Object.getOwnPropertyNames(inner).map((key) => [key, Reflect.get(inner, key)]))
      : inner,
  );
}

/** Holds requests, or the answers to them, back until it is opened. */
function createGate(holds: (request: KubeRequest) => boolean, what: 'requests' | 'answers' = 'requests') {
  const gate = new EventEmitter();
  const [reached, opened] = [once(gate, 'reached'), once(gate, 'opened')];
  const interceptor: Interceptor = (next) => async (request) => {
    if (!holds(request)) return next(request);
    const answer = what === 'answers' ? await next(request) : undefined;
    gate.emit('reached');
    await opened;
    return answer ?? next(request);
  };
  return { interceptor, reached, open: () => gate.emit('opened') };
}
