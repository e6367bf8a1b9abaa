import { eventually, type PlaneAccess } from '@klutch/kit';
import { createNamespace, describeReal, sharedPlane } from '@klutch/kit/vitest';
import { beforeAll, expect, it } from 'vitest';

describeReal('a service account', () => {
  let plane: PlaneAccess;
  let namespace: string;

  beforeAll(async () => {
    plane = await sharedPlane();
    namespace = await createNamespace(plane);
  });

  it('may not read secrets unless a role says so', async () => {
    const account = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
    const exists = async () => (await plane.admin.request('GET', account)).status === 200;
    await eventually(exists, { what: 'the default service account exists' });

    const user = await plane.serviceAccountUser({ namespace, name: 'default' });
    const answer = await user.request('GET', `/api/v1/namespaces/${namespace}/secrets`);

    expect(answer.status).toBe(403);
  });
});
