import { annotations, labels, ResourceOwner } from '@klutch/api';
import { Events, Secrets } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it, vi } from 'vitest';
import { type Claim, encoded, openClaimsScene, passOne, secret, secretWith } from './claims-scene.ts';
import { onBothTiers, stayQuiet } from './world.ts';

vi.setConfig({ testTimeout: 120_000 });

const provider: Claim = { group: '', resource: 'secrets', selector: { owner: 'Provider' } };
const consumer: Claim = { group: '', resource: 'secrets', selector: { owner: 'Consumer' } };
const either: Claim = { group: '', resource: 'secrets', selector: {} };

onBothTiers('claims', (clusters) => {
  it('KON-40 brings a secret of the provider to the app namespace, marked on both sides', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const { becomes } = await start([provider]);
    const metadata = {
      labels: { team: 'blue' },
      annotations: { note: 'x', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
      finalizers: ['example.org/keep'],
    };
    await controlPlane
      .resource(Secrets)
      .create(secret(service, 'db', { password: 'p1' }, { type: 'example.org/db', metadata }));
    const copy = await secretWith(app, appNamespace, 'db', { password: 'p1' });
    if (copy === true) throw new Error('expected a copy');
    expect(copy.type).toBe('example.org/db');
    expect(copy.metadata.labels).toEqual({ team: 'blue', [labels.claimedFrom]: 'Provider' });
    expect(copy.metadata.annotations).toMatchObject({ note: 'x', [annotations.resourceOwner]: ResourceOwner.Provider });
    expect(Object.keys(copy.metadata.annotations ?? {})).not.toContain(
      'kubectl.kubernetes.io/last-applied-configuration',
    );
    expect(copy.metadata.finalizers).toBeUndefined();
    await eventually(async () => {
      const original = await controlPlane.resource(Secrets).get({ namespace: service, name: 'db' });
      return original.metadata.annotations?.[annotations.resourceOwner] === ResourceOwner.Provider;
    });
    await becomes('True');
    await controlPlane
      .resource(Secrets)
      .patch({ namespace: service, name: 'db' }, { type: 'merge', patch: { metadata: { finalizers: null } } });
    await close();
  });

  it('KON-41 follows changes, undoes edits and deletions in the app cluster, and deletes with the original', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    await start([provider]);
    const here = app.resource(Secrets);
    const there = controlPlane.resource(Secrets);
    const ref = { namespace: appNamespace, name: 'db' };
    await there.create(
      secret(service, 'db', { password: 'p1', user: 'u' }, { metadata: { labels: { a: '1', b: '2' } } }),
    );
    await secretWith(app, appNamespace, 'db', { password: 'p1', user: 'u' });

    const patch = { data: { password: encoded('p2'), user: null }, metadata: { labels: { a: null } } };
    await there.patch({ namespace: service, name: 'db' }, { type: 'merge', patch });
    const changed = await secretWith(app, appNamespace, 'db', { password: 'p2' });
    expect(changed === true || changed.metadata.labels).toEqual({ b: '2', [labels.claimedFrom]: 'Provider' });

    await here.patch(ref, { type: 'merge', patch: { data: { password: encoded('hacked'), more: encoded('x') } } });
    await secretWith(app, appNamespace, 'db', { password: 'p2' });
    await here.patch(ref, {
      type: 'merge',
      patch: { metadata: { labels: null, annotations: null }, data: { password: encoded('again') } },
    });
    await secretWith(app, appNamespace, 'db', { password: 'p2' });
    await here.delete(ref);
    await secretWith(app, appNamespace, 'db', { password: 'p2' });

    await there.delete({ namespace: service, name: 'db' });
    await secretWith(app, appNamespace, 'db', undefined);
    await close();
  });

  it('KON-42 carries a secret of the user up, and keeps the copy in step', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    await start([consumer]);
    const here = app.resource(Secrets);
    const there = controlPlane.resource(Secrets);
    await here.create(secret(appNamespace, 'mine', { key: 'k1' }));
    const copy = await secretWith(controlPlane, service, 'mine', { key: 'k1' });
    expect(copy === true || copy.metadata.annotations?.[annotations.resourceOwner]).toBe('Consumer');
    await eventually(async () => {
      const original = await here.get({ namespace: appNamespace, name: 'mine' });
      return original.metadata.annotations?.[annotations.resourceOwner] === 'Consumer';
    });

    await here.patch(
      { namespace: appNamespace, name: 'mine' },
      { type: 'merge', patch: { data: { key: encoded('k2') } } },
    );
    await secretWith(controlPlane, service, 'mine', { key: 'k2' });
    await there.patch(
      { namespace: service, name: 'mine' },
      { type: 'merge', patch: { data: { key: encoded('theirs') } } },
    );
    await secretWith(controlPlane, service, 'mine', { key: 'k2' });
    await there.delete({ namespace: service, name: 'mine' });
    await secretWith(controlPlane, service, 'mine', { key: 'k2' });
    await here.delete({ namespace: appNamespace, name: 'mine' });
    await secretWith(controlPlane, service, 'mine', undefined);
    await close();
  });

  it('KON-42 removes the copy of what was deleted while nobody looked, but not when the app cluster was set back', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const first = await start([consumer]);
    await app.resource(Secrets).create(secret(appNamespace, 'mine', { key: 'k1' }));
    await secretWith(controlPlane, service, 'mine', { key: 'k1' });
    await first.stop();
    await app.resource(Secrets).delete({ namespace: appNamespace, name: 'mine' });

    const restored = await start([consumer], { isSetBack: true });
    expect(await restored.becomes('False', 'OrphansHeld')).toContain(`${appNamespace}/mine`);
    await secretWith(controlPlane, service, 'mine', { key: 'k1' });
    expect(restored.writes).toEqual([]);
    await restored.stop();

    const { becomes } = await start([consumer]);
    await secretWith(controlPlane, service, 'mine', undefined);
    await becomes('True');
    await close();
  });

  it('KON-43 (W1) never touches or uploads what the user has in a bound namespace', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const here = app.resource(Secrets);
    const before = await here.create(secret(appNamespace, 'old', { key: 'private' }));
    await start([provider]);
    const during = await here.create(secret(appNamespace, 'new', { key: 'private' }));
    await passOne(controlPlane, service, app, appNamespace);
    for (const one of [before, during]) {
      const name = one.metadata.name ?? '';
      expect(await here.get({ namespace: appNamespace, name })).toEqual(one);
      expect(await controlPlane.resource(Secrets).find({ namespace: service, name })).toBeUndefined();
    }
    await close();
  });

  it('KON-43 never carries what belongs to a cluster itself', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    await start([either]);
    await controlPlane
      .resource(Secrets)
      .create(secret(service, 'release', { release: 'r' }, { type: 'helm.sh/release.v1' }));
    await app
      .resource(Secrets)
      .create(secret(appNamespace, 'release-2', { release: 'r' }, { type: 'helm.sh/release.v1' }));
    await passOne(controlPlane, service, app, appNamespace);
    await passOne(app, appNamespace, controlPlane, service);
    await secretWith(app, appNamespace, 'release', undefined);
    await secretWith(controlPlane, service, 'release-2', undefined);
    await close();
  });

  it('KON-44 (W2) only what the selectors mean travels, in both directions', async () => {
    const { app, controlPlane, appNamespace, service, place, start, close } = await openClaimsScene(clusters());
    const other = await place();
    const named: Claim = {
      ...provider,
      selector: { owner: 'Provider', names: ['wanted'], namespaces: [appNamespace] },
    };
    const labelled: Claim = {
      ...consumer,
      selector: { owner: 'Consumer', labelSelectors: [{ share: 'yes' }, { share: 'too' }] },
    };
    await start([named, labelled]);
    const there = controlPlane.resource(Secrets);
    const here = app.resource(Secrets);
    const sharing = (share: string) => ({ metadata: { labels: { share } } });
    await there.create(secret(service, 'unwanted', { key: 'x' }));
    await there.create(secret(other.service, 'wanted', { key: 'x' }));
    await here.create(secret(appNamespace, 'private', { key: 'x' }));
    await here.create(secret(appNamespace, 'hidden', { key: 'x' }, sharing('no')));
    await there.create(secret(service, 'wanted', { key: 'x' }));
    await here.create(secret(appNamespace, 'shared', { key: 'x' }, sharing('yes')));
    await here.create(secret(other.appNamespace, 'shared', { key: 'y' }, sharing('too')));

    await secretWith(app, appNamespace, 'wanted', { key: 'x' });
    await secretWith(controlPlane, service, 'shared', { key: 'x' });
    await secretWith(controlPlane, other.service, 'shared', { key: 'y' });
    expect(await here.find({ namespace: appNamespace, name: 'unwanted' })).toBeUndefined();
    expect(await here.find({ namespace: other.appNamespace, name: 'wanted' })).toBeUndefined();
    for (const name of ['private', 'hidden']) expect(await there.find({ namespace: service, name })).toBeUndefined();

    // What is no longer meant is taken back.
    await here.patch(
      { namespace: appNamespace, name: 'shared' },
      { type: 'merge', patch: { metadata: { labels: { share: 'no' } } } },
    );
    await secretWith(controlPlane, service, 'shared', undefined);
    await close();
  });

  it('KON-44 refuses what it cannot do, and serves the other claims', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const strange: Claim = { ...consumer, selector: { owner: 'Consumer', fieldSelectors: ['type=Opaque'] } };
    const { becomes } = await start([provider, strange]);
    expect(await becomes('False', 'ClaimUnavailable')).toContain('type=Opaque');
    await passOne(controlPlane, service, app, appNamespace);
    await close();
  });

  it('KON-45 nothing of a rejected claim travels', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const { writes } = await start([], { type: { group: '', version: 'v1', resource: 'secrets' } });
    await controlPlane.resource(Secrets).create(secret(service, 'db', { key: 'x' }));
    await app.resource(Secrets).create(secret(appNamespace, 'mine', { key: 'y' }));
    await stayQuiet(1_500);
    expect(writes).toEqual([]);
    await close();
  });

  it('KON-46 follows accepted claims without restart, and takes copies back', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const there = controlPlane.resource(Secrets);
    const here = app.resource(Secrets);
    const { update, becomes, condition, running } = await start([], {
      type: { group: '', version: 'v1', resource: 'secrets' },
    });
    await there.create(secret(service, 'db', { key: 'x' }));
    await here.create(secret(appNamespace, 'mine', { key: 'y' }));
    expect(condition()).toBeUndefined();

    update([provider, consumer]);
    await secretWith(app, appNamespace, 'db', { key: 'x' });
    await secretWith(controlPlane, service, 'mine', { key: 'y' });
    await becomes('True');
    await eventually(() => running.stillUses(service));

    update([]);
    await secretWith(app, appNamespace, 'db', undefined);
    await secretWith(controlPlane, service, 'mine', undefined);
    expect(condition()).toBeUndefined();
    await secretWith(controlPlane, service, 'db', { key: 'x' });
    await secretWith(app, appNamespace, 'mine', { key: 'y' });
    await eventually(() => !running.stillUses(service));
    await close();
  });

  it('KON-46 takes back what was rejected while nobody looked', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const first = await start([either]);
    await controlPlane.resource(Secrets).create(secret(service, 'db', { key: 'x' }));
    await app.resource(Secrets).create(secret(appNamespace, 'mine', { key: 'y' }));
    await secretWith(app, appNamespace, 'db', { key: 'x' });
    await secretWith(controlPlane, service, 'mine', { key: 'y' });
    await first.stop();
    await start([], { type: { group: '', version: 'v1', resource: 'secrets' } });
    await secretWith(app, appNamespace, 'db', undefined);
    await secretWith(controlPlane, service, 'mine', undefined);
    await close();
  });

  it('KON-47 changes neither of two objects that know nothing of each other, and says so', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const here = app.resource(Secrets);
    const user = await here.create(secret(appNamespace, 'db', { password: 'mine' }));
    const original = await controlPlane.resource(Secrets).create(secret(service, 'db', { password: 'theirs' }));
    const { becomes, stop } = await start([provider]);
    expect(await becomes('False', 'ClaimConflict')).toContain(`${appNamespace}/db`);
    await passOne(controlPlane, service, app, appNamespace);
    expect(await here.get({ namespace: appNamespace, name: 'db' })).toEqual(user);
    expect(await controlPlane.resource(Secrets).get({ namespace: service, name: 'db' })).toEqual(original);
    await eventually(async () => {
      const { items } = await app.resource(Events).list({ namespace: appNamespace });
      return items.some(({ reason, involvedObject }) => reason === 'ClaimConflict' && involvedObject.name === 'db');
    });

    await here.delete({ namespace: appNamespace, name: 'db' });
    await secretWith(app, appNamespace, 'db', { password: 'theirs' });
    await becomes('True');
    await stop();
    await close();
  });

  it('KON-47 replaces the object of the user where the claim says so', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    await app.resource(Secrets).create(secret(appNamespace, 'db', { password: 'mine', more: 'x' }));
    await controlPlane.resource(Secrets).create(secret(service, 'db', { password: 'theirs' }));
    await start([{ ...provider, create: { replaceExisting: true } }]);
    await secretWith(app, appNamespace, 'db', { password: 'theirs' });
    await close();
  });

  it('KON-48 writes nothing at rest, also after a restart', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const first = await start([either]);
    for (const name of ['a', 'b', 'c']) {
      await controlPlane.resource(Secrets).create(secret(service, name, { key: name }));
      await app.resource(Secrets).create(secret(appNamespace, `user-${name}`, { key: name }));
    }
    for (const name of ['a', 'b', 'c']) {
      await secretWith(app, appNamespace, name, { key: name });
      await secretWith(controlPlane, service, `user-${name}`, { key: name });
    }
    await eventually(() => first.objectWrites().length >= 12);
    await stayQuiet(2_000);
    // One copy and one mark for each.
    expect(first.objectWrites()).toHaveLength(12);
    await first.stop();
    const again = await start([either]);
    await again.becomes('True');
    await stayQuiet(2_000);
    expect(again.writes).toEqual([]);
    // Somebody else's metadata on a copy is no reason to write.
    await app
      .resource(Secrets)
      .patch(
        { namespace: appNamespace, name: 'a' },
        { type: 'merge', patch: { metadata: { annotations: { 'reloader.example.org/seen': 'yes' } } } },
      );
    await stayQuiet(1_000);
    expect(again.writes).toEqual([]);
    await close();
  });

  it('KON-51 rotated credentials and types arrive, also for immutable objects', async () => {
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters());
    const there = controlPlane.resource(Secrets);
    await start([provider]);
    await there.create(secret(service, 'db', { password: 'p1' }, { immutable: true }));
    await secretWith(app, appNamespace, 'db', { password: 'p1' });
    await there.delete({ namespace: service, name: 'db' });
    await there.create(secret(service, 'db', { password: 'p2' }, { type: 'example.org/db' }));
    const copy = await secretWith(app, appNamespace, 'db', { password: 'p2' });
    expect(copy === true || [copy.type, copy.immutable]).toEqual(['example.org/db', undefined]);
    for (const password of ['p3', 'p4', 'p5']) {
      await there.patch(
        { namespace: service, name: 'db' },
        { type: 'merge', patch: { data: { password: encoded(password) } } },
      );
    }
    await secretWith(app, appNamespace, 'db', { password: 'p5' });
    await there.delete({ namespace: service, name: 'db' });
    await secretWith(app, appNamespace, 'db', undefined);
    await close();
  });
});
