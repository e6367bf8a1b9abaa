import { APIServiceBindings, appCluster as names, findCondition } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { confirmDevice, logIn } from '@klutch/sandbox';
import { describe, expect, it } from 'vitest';
import { patiently } from '../backend/process-world.ts';
import { bindAsPerson, claimWidget, embeddedIssuer, storedKubeconfig, user } from './person.ts';
import { isAccepted, openScene, type Scene } from './scene.ts';
import { startThief } from './thief.ts';

const connected = async ({ app, api }: Scene) => {
  const ref = { namespace: names.namespace, name: api.name };
  const { status } = await app.admin.resource(APIServiceBindings).get(ref);
  return findCondition(status?.conditions, 'Ready')?.status === 'True';
};

/** Evicts as a person does who logs in on this machine, or on another. */
async function evict(scene: Scene, how: 'browser' | 'device'): Promise<string> {
  const flags = how === 'browser' ? ['--no-browser'] : ['--device-code'];
  const run = scene.klutch(['rotate', '--evict', ...flags]);
  if (how === 'browser') {
    const [url] = await run.says(/http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+/);
    await logIn({ url, user });
  } else {
    const [, url = ''] = await run.says(/compare the code [A-Z]{4}-[A-Z]{4}:\s+(http:\/\/\S+)/);
    expect(await confirmDevice({ url, user })).toContain('End all credentials of this app cluster?');
  }
  expect({ code: await run.ended(), err: run.err() }).toMatchObject({ code: 0 });
  return run.err();
}

function eviction(tier: Tier): void {
  it('S-9 gives a thief with the old credential nothing from then on, and the app cluster goes on', async () => {
    const scene = await openScene(tier, { issuer: embeddedIssuer });
    await bindAsPerson(scene);
    await claimWidget(scene, 'w1');
    const stolen = await storedKubeconfig(scene.app.admin);

    // What a plain rotation yields, the thief gets, too.
    const greedy = startThief(stolen, scene.provider);
    await patiently(() => greedy.loot.length > 0);
    await greedy.stop();
    const known = new Set([stolen, ...greedy.loot, await patiently(() => storedKubeconfig(scene.app.admin))]);

    const thief = startThief(stolen, scene.provider);
    const others = [...greedy.loot].map((kubeconfig) => startThief(kubeconfig, scene.provider));
    const said = await evict(scene, 'browser');
    // The konnector, the leader and all caches have had their time.
    await patiently(() => connected(scene));
    await claimWidget(scene, 'w2');
    const { tries } = await thief.stop();
    for (const other of others) await other.stop();

    expect(said).toContain('All credentials of the app cluster have ended, the old one is refused');
    expect(tries).toBeGreaterThan(20);
    const fresh = await storedKubeconfig(scene.app.admin);
    expect(known.has(fresh)).toBe(false);
    const stolenSince = [thief, ...others].flatMap(({ loot }) => loot);
    expect(stolenSince.filter((text) => text === fresh)).toEqual([]);
    for (const text of new Set([...known, ...stolenSince])) expect(await isAccepted(text)).toBe(false);
    expect(await isAccepted(fresh)).toBe(true);

    await evict(scene, 'device');
    expect(await isAccepted(fresh)).toBe(false);
    await patiently(() => connected(scene));
  }, 300_000);
}

describe('an eviction (embedded)', () => {
  eviction('embedded');

  it('refuses flags of a login without --evict', async () => {
    const scene = await openScene('embedded', { issuer: embeddedIssuer });
    const run = scene.klutch(['rotate', '--device-code']);

    expect(await run.ended()).toBe(2);
    expect(run.err()).toContain('Flags of a login belong to --evict.');
  }, 120_000);
});

describeReal('an eviction (real)', () => eviction('real'));
