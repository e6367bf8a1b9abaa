import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { crds, install, specOf } from '../definition.ts';
import { inNamespace } from '../paths.ts';
import { expectRefusal, invalid } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-crd-versions';
const group = 'versions.conf.example';
const version = (name: string, properties: object, more: object = {}) => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: specOf(properties) },
  ...more,
});
const string = { type: 'string' };

conformance(
  'versions of a custom kind',
  ({ check, prepare }) => {
    prepare((server) => server.createNamespace(namespace));

    const two = (storage: 'v1' | 'v2', more: { v1?: object; v2?: object } = {}) => [
      version('v1', { a: string, old: string }, { storage: storage === 'v1', ...more.v1 }),
      version('v2', { a: string, new: string }, { storage: storage === 'v2', ...more.v2 }),
    ];
    const at = (plural: string, name: string) => inNamespace(`${group}/${name}/${plural}`, namespace);
    const object = (kind: string, name: string, spec: object, apiVersion = 'v1') => ({
      apiVersion: `${group}/${apiVersion}`,
      kind,
      metadata: { name },
      spec,
    });

    check('show the same objects under each version', async ({ admin }) => {
      await install(admin, { group, kind: 'Dual', versions: two('v1') });
      await admin.create(at('duals', 'v1')(), object('Dual', 'x', { a: '1', old: '2' }));

      const v1 = await admin.get(at('duals', 'v1')('x'));
      const v2 = await admin.get(at('duals', 'v2')('x'));

      expect([v1.body.apiVersion, v1.body.spec, v2.body.apiVersion, v2.body.spec]).toEqual([
        `${group}/v1`,
        { a: '1', old: '2' },
        `${group}/v2`,
        { a: '1' },
      ]);
      expect(v2.body.metadata.resourceVersion).toBe(v1.body.metadata.resourceVersion);
    });

    check('lose what the stored version does not know', async ({ admin }) => {
      await install(admin, { group, kind: 'Lossy', versions: two('v1') });
      const created = await admin.post(at('lossys', 'v2')(), object('Lossy', 'x', { a: '1', new: '2' }, 'v2'));
      const read = await admin.get(at('lossys', 'v2')('x'));

      expect([created.status, created.body.spec, read.body.spec]).toEqual([201, { a: '1' }, { a: '1' }]);
    });

    check('are preferred by maturity and number', async ({ admin }) => {
      const names = ['v1alpha1', 'v2beta1', 'v1', 'v10', 'foo', 'v2'];
      await install(admin, {
        group: 'order.versions.conf.example',
        kind: 'Ordered',
        versions: names.map((name) => version(name, {}, { storage: name === 'v1' })),
      });

      const { body } = await admin.get('/apis/order.versions.conf.example');

      expect([
        (body.versions as { version: string }[]).map(({ version }) => version),
        (body.preferredVersion as { version: string }).version,
      ]).toEqual([['v10', 'v2', 'v1', 'v2beta1', 'v1alpha1', 'foo'], 'v10']);
    });

    check('that are not served are not found', async ({ admin }) => {
      await install(admin, { group, kind: 'Hidden', versions: two('v1', { v2: { served: false } }) });
      await admin.create(at('hiddens', 'v1')(), object('Hidden', 'x', { a: '1' }));

      const { status, text } = await admin.get(at('hiddens', 'v2')('x'));

      expect([status, text]).toEqual([404, '404 page not found\n']);
    });

    check('that are deprecated warn, in words of their own or of Kubernetes', async ({ admin }) => {
      await install(admin, {
        group,
        kind: 'Aging',
        versions: two('v2', {
          v1: { deprecated: true },
          v2: { deprecated: true, deprecationWarning: 'please go to v3' },
        }),
      });

      const v1 = await admin.get(at('agings', 'v1')());
      const v2 = await admin.get(at('agings', 'v2')());

      expect([v1.warnings, v2.warnings]).toEqual([
        ['299 - "versions.conf.example/v1 Aging is deprecated"'],
        ['299 - "please go to v3"'],
      ]);
    });

    check('to store may change, and all that were stored are remembered', async ({ admin }) => {
      await install(admin, { group, kind: 'Moved', versions: two('v1') });
      await admin.create(at('moveds', 'v1')(), object('Moved', 'x', { a: '1', old: '2' }));

      const { status, body } = await admin.patch('merge', crds(`moveds.${group}`), { spec: { versions: two('v2') } });

      expect([status, body.status.storedVersions]).toEqual([200, ['v1', 'v2']]);
      const read = await admin.get(at('moveds', 'v1')('x'));
      expect([read.status, read.body.spec]).toEqual([200, { a: '1', old: '2' }]);
    });

    check('that were stored cannot be removed until the status forgets them', async ({ admin }) => {
      await install(admin, { group, kind: 'Kept', versions: two('v1') });
      await admin.patch('merge', crds(`kepts.${group}`), { spec: { versions: two('v2') } });
      const onlyV2 = { spec: { versions: two('v2').slice(1) } };

      expectRefusal(
        await admin.patch('merge', crds(`kepts.${group}`), onlyV2),
        invalid({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }, `kepts.${group}`, [
          [
            'status.storedVersions[0]',
            'FieldValueInvalid',
            'Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
          ],
        ]),
      );
      const forgotten = await admin.patch('merge', `${crds(`kepts.${group}`)}/status`, {
        status: { storedVersions: ['v2'] },
      });
      const removed = await admin.patch('merge', crds(`kepts.${group}`), onlyV2);

      expect([forgotten.status, forgotten.body.status.storedVersions, removed.status]).toEqual([200, ['v2'], 200]);
      await eventually(async () => (await admin.get(at('kepts', 'v1')())).status === 404, {
        what: 'v1 is no longer served',
      });
    });

    check('that are added are served at once, with the objects there are', async ({ admin }) => {
      await install(admin, { group, kind: 'Extended', versions: [version('v1', { a: string }, { storage: true })] });
      await admin.create(at('extendeds', 'v1')(), object('Extended', 'x', { a: '1' }));
      await admin.patch('merge', crds(`extendeds.${group}`), {
        spec: { versions: [version('v1', { a: string }, { storage: true }), version('v2', { a: string })] },
      });

      const read = await eventually(
        async () => {
          const answer = await admin.get(at('extendeds', 'v2')('x'));
          return answer.status === 200 && answer;
        },
        { what: 'v2 is served' },
      );
      expect([read.body.apiVersion, read.body.spec]).toEqual([`${group}/v2`, { a: '1' }]);
    });

    check('are all watched alike', async ({ admin }) => {
      await install(admin, { group, kind: 'Seen', versions: two('v1') });
      const watch = await eventually(
        async () => {
          const opened = await admin.watch(at('seens', 'v2')());
          return opened.status === 200 && opened;
        },
        { what: 'v2 can be watched' },
      );
      await admin.create(at('seens', 'v1')(), object('Seen', 'x', { a: '1', old: '2' }));

      const [event] = await watch.take(1);
      watch.close();

      expect([event?.type, event?.object.apiVersion, event?.object.spec]).toEqual(['ADDED', `${group}/v2`, { a: '1' }]);
    });

    check('own fields of an object each by its own name', async ({ admin }) => {
      await install(admin, { group, kind: 'Owned', versions: two('v1') });
      await admin.apply(at('owneds', 'v1')('x'), 'one', object('Owned', 'x', { a: '1' }));
      const { body } = await admin.apply(at('owneds', 'v2')('x'), 'two', object('Owned', 'x', { a: '1' }, 'v2'));

      expect(body.metadata.managedFields?.map(({ manager, apiVersion }) => [manager, apiVersion]).toSorted()).toEqual([
        ['one', `${group}/v1`],
        ['two', `${group}/v2`],
      ]);
    });
  },
  { concurrent: true },
);
