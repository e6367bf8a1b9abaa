import { ConditionType, labels } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { type KubeObject, Namespaces, type ResourceType, Secrets } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { patiently } from '../backend/process-world.ts';
import { isAccepted } from '../bind/scene.ts';
import { type AppCluster, openAppCluster } from './app-cluster.ts';
import { age, applyForEver, observe, storedKubeconfig } from './rotations.ts';
import { openProvider } from './scene.ts';

const Deployments: ResourceType<KubeObject> = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
};

/** What would change if applying changed something: the spec of the Deployment and the bindings, and all of the Secret. */
async function versions({ admin, binding }: AppCluster, api: string) {
  const { items } = await admin.resource(Secrets).list({ labelSelector: labels.enrolment });
  const deployment = await admin.resource(Deployments).get({ namespace: 'klutch-bind', name: 'konnector' });
  return {
    enrolment: items.map(({ metadata }) => metadata.resourceVersion),
    deployment: (deployment.metadata as { readonly generation?: number }).generation,
    binding: ((await binding(api)).metadata as { readonly generation?: number }).generation,
  };
}

function applying(tier: Tier): void {
  it.each([
    ['kubectl apply', [], /^(\S+ unchanged\n)+$/],
    ['server-side apply', ['--server-side'], /^(\S+ serverside-applied\n)+$/],
  ])(
    'connects a cluster by %s, again and again through two rotations, and no credential comes back',
    async (_, flags, expected) => {
      const provider = await openProvider(tier);
      const [api] = provider.apis;
      const app = await openAppCluster(tier);
      const file = await app.file(await provider.bundle());
      await app.apply(file, ...flags);
      await app.untilReady(api.name);
      const observed = observe(app, api.name);
      const before = await versions(app, api.name);
      const first = await storedKubeconfig(app);
      const loop = applyForEver(app, file, flags, 500);
      await loop.rounds(2);

      await app.klutch('rotate');
      await loop.rounds(3);
      const second = await storedKubeconfig(app);
      await age(provider.controlPlane, /namespace: (\S+)/.exec(second)?.[1] ?? '');
      await patiently(async () => (await storedKubeconfig(app)) !== second);
      await loop.rounds(3);
      await loop.end();

      expect(observed.outages).toEqual([]);
      expect(observed.credentials).toHaveLength(3);
      expect(new Set(observed.credentials).size).toBe(3);
      // kube-apiserver caches the answer about a token for a few seconds.
      await patiently(async () => !(await isAccepted(first)));
      expect(await isAccepted(await storedKubeconfig(app))).toBe(true);
      for (const said of loop.said) expect(said).toMatch(expected);
      expect(await versions(app, api.name)).toEqual(before);
    },
    240_000,
  );

  it('comes up whatever the order in which its objects are applied', async () => {
    const provider = await openProvider(tier);
    const [api] = provider.apis;
    const app = await openAppCluster(tier);
    const documents = parseAllDocuments(await provider.bundle()).map((document) => JSON.stringify(document.toJS()));
    const backwards = await Promise.all([...documents].reverse().map((document) => app.file(document)));
    const round = async () => {
      const runs = [];
      for (const file of backwards) runs.push(await app.kubectl.run(`apply -f ${file}`));
      return runs.filter(({ code }) => code !== 0).length;
    };

    expect(await round()).toBeGreaterThan(0);
    await patiently(async () => (await round()) === 0);
    await app.untilReady(api.name);
  }, 240_000);

  it('is refused by every cluster but the first, with the reason on binding and Secret', async () => {
    const provider = await openProvider(tier);
    const [api] = provider.apis;
    const [app, other] = [await openAppCluster(tier), await openAppCluster(tier)];
    const text = await provider.bundle();
    await app.apply(await app.file(text));
    await app.untilReady(api.name);

    await other.apply(await other.file(text));

    const message = await other.untilSays(api.name, ConditionType.Enrolled, 'EnrolledElsewhere');
    expect(message).toContain('Another cluster has exchanged this bundle, which is for one cluster only.');
    expect(message).toContain('have the operator revoke the app cluster with cluster id enrolment-');
    expect(await other.untilSays(api.name, ConditionType.Ready, 'EnrolledElsewhere')).toBe(message);
    expect(await other.credentials()).toEqual([]);
    await patiently(async () => {
      const events = await other.kubectl.out('get events -o jsonpath={.items[*].reason}');
      return events.includes('EnrolledElsewhere');
    });
    const { items } = await provider.controlPlane.admin.resource(Namespaces).list({ labelSelector: labels.appCluster });
    expect(items).toHaveLength(1);
    await app.untilReady(api.name);
  }, 240_000);

  it('takes the place of the bundle before when it is made again, and brings more APIs without another credential', async () => {
    const provider = await openProvider(tier);
    const [api, added] = provider.apis;
    const app = await openAppCluster(tier);
    await app.apply(await app.file(await provider.bundle('--cluster-id', 'prod')));
    await app.untilReady(api.name);
    const before = await storedKubeconfig(app);

    const both = ['--api', api.name, '--api', added.name];
    await app.apply(await app.file(await provider.bundle('--cluster-id', 'prod', ...both)));
    await app.untilReady(added.name);

    await app.untilReady(api.name);
    expect(await storedKubeconfig(app)).toBe(before);
  }, 240_000);
}

describe('a bundle (embedded)', () => applying('embedded'));
describeReal('a bundle (real)', () => applying('real'));
