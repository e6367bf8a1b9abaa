import { annotations, labels } from '@klutch/api';
import { Leases } from '@klutch/kube';
import { expect, it } from 'vitest';
import { AdmissionPolicyBindings } from '../../packages/backend/src/policies/admission-policy.ts';
import { onOwnPlane } from './exports-world.ts';
import { hurryingClock } from './hurrying-clock.ts';
import { account, askOperations, launch, type Launched, patiently } from './process-world.ts';

const tenMinutes = 600_000;

onOwnPlane('the policies of a backend', (plane) => {
  const told = async ({ namespace }: Launched) =>
    (await plane().admin.resource(Leases).find({ namespace, name: 'klutch-backend' }))?.metadata.annotations?.[
      annotations.policyInForce
    ];
  const metric = async (launched: Launched) =>
    /^klutch_backend_policy_in_force (\d)$/m.exec((await askOperations(launched, '/metrics')).text)?.[1];
  const complaints = ({ lines }: Launched) => lines.filter((line) => line.includes('policies are not in force'));

  it('are proved at the start: nothing is said against them, and lease and metric say that they are in force', async () => {
    const launched = await launch(plane());

    await patiently(async () => (await told(launched)) === 'true');
    expect(await metric(launched)).toBe('1');
    expect(complaints(launched)).toEqual([]);
  });

  it('are missed loudly, and again until they are in force', async () => {
    const { admin } = plane();
    const held = await account(plane(), {});
    const bindings = admin.resource(AdmissionPolicyBindings);
    const labelSelector = `${labels.backend}=${held.namespace}`;
    const { items } = await bindings.list({ labelSelector });
    expect(items).toHaveLength(3);
    for (const { metadata } of items) await bindings.delete({ name: metadata.name ?? '' });

    const clock = hurryingClock();
    const launched = await launch(plane(), { held, clock });

    await patiently(() => complaints(launched).length === 1);
    clock.skip(tenMinutes);
    await patiently(() => complaints(launched).length === 2);
    await patiently(async () => (await told(launched)) === 'false');
    expect(await metric(launched)).toBe('0');
    expect(complaints(launched)[0]).toContain('klutch backend manifests');
    for (const { apiVersion, kind, metadata, spec } of items) {
      await bindings.create({ apiVersion, kind, metadata: { name: metadata.name, labels: metadata.labels }, spec });
    }
    await patiently(async () => (await told(launched)) === 'true');
    expect(await metric(launched)).toBe('1');
  });
});
