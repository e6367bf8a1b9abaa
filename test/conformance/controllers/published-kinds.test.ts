import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { inNamespace } from '../paths.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-controlled';
const jobs = inNamespace('batch/v1/jobs', namespace);
const ingresses = inNamespace('networking.k8s.io/v1/ingresses', namespace);

const job = (name: string, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
});
const ingress = { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } };

conformance('controllers and built-in kinds', ({ check, prepare }) => {
  prepare((server) => server.createNamespace(namespace));

  check('dependents of built-in kinds are collected', async ({ admin }) => {
    const { metadata } = await admin.create(ingresses(), { metadata: { name: 'owner' }, ...ingress });
    const owner = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'owner', uid: metadata.uid };
    await admin.create(jobs(), job('owned', { ownerReferences: [owner] }));

    await admin.delete(ingresses('owner'));

    const gone = async () => (await admin.get(jobs('owned'))).status === 404;
    await eventually(gone, { what: 'the job goes with its owner', withinMs: 60_000 });
  });

  check('whoever may edit may write built-in kinds, whoever may view may read them', async (server) => {
    const { admin } = server;
    for (const role of ['edit', 'view']) {
      await admin.create(inNamespace('rbac.authorization.k8s.io/v1/rolebindings', namespace)(), {
        metadata: { name: role },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: `conf-controlled-${role}` }],
      });
    }
    const editor = await server.as({ name: 'conf-controlled-edit' });
    const viewer = await server.as({ name: 'conf-controlled-view' });

    const answers = [
      await editor.post(jobs(), job('edited')),
      await editor.post(inNamespace('policy/v1/poddisruptionbudgets', namespace)(), { metadata: { name: 'edited' } }),
      await viewer.get(jobs('edited')),
      await viewer.get(ingresses()),
      await viewer.post(jobs(), job('viewed')),
      await editor.get('/api/v1/nodes'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 200, 403, 403]);
  });

  check('objects of built-in kinds go with their namespace', async ({ admin, createNamespace }) => {
    const short = 'conf-controlled-short';
    await createNamespace(short);
    await admin.create(inNamespace('batch/v1/jobs', short)(), job('j'));
    await admin.create(inNamespace('networking.k8s.io/v1/ingresses', short)(), { metadata: { name: 'i' }, ...ingress });

    await admin.delete(`/api/v1/namespaces/${short}`);

    const gone = async () => (await admin.get(`/api/v1/namespaces/${short}`)).status === 404;
    await eventually(gone, { what: 'the namespace goes with all that is in it', withinMs: 60_000 });
    expect((await admin.get(inNamespace('batch/v1/jobs', short)('j'))).status).toBe(404);
  });
});
