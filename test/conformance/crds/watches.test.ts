import { expect } from 'vitest';
import { eventually } from '@klutch/kit';
import type { Client } from '../client.ts';
import { crds, install, specOf } from '../definition.ts';
import { inNamespace } from '../paths.ts';
import { conformance } from '../suite.ts';
import type { Watch } from '../watch-stream.ts';

const namespace = 'conf-crd-watches';
const group = 'watches.conf.example';
const string = { type: 'string' };
const schemaOf = (properties: object) => [
  { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: specOf(properties) } },
];

conformance(
  'watches of a custom kind',
  ({ check, prepare }) => {
    prepare((server) => server.createNamespace(namespace));

    const at = (kind: string, version = 'v1') => inNamespace(`${group}/${version}/${kind.toLowerCase()}s`, namespace);
    const object = (kind: string, name: string, spec: object = {}) => ({
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name },
      spec,
    });
    const nameOf = (kind: string) => `${kind.toLowerCase()}s.${group}`;
    const versionOfList = async (admin: Client, path: string) => (await admin.get(path)).body.metadata.resourceVersion;
    const told = ({ events }: Watch) => events.map(({ type, object: { metadata } }) => `${type} ${metadata.name}`);

    /** Kubernetes answers 429 while it fills the watch cache of the new storage. */
    const accepted = (admin: Client, path: string) =>
      eventually(
        async () => {
          const watch = await admin.watch(path);
          return watch.status === 200 && watch;
        },
        { what: `a new watch of ${path} is accepted` },
      );

    check('end when the schema changes, and new ones follow the new schema', async ({ admin }) => {
      const kind = 'Reshaped';
      await install(admin, { group, kind, versions: schemaOf({ a: string }) });
      const watch = await accepted(admin, `${at(kind)()}?resourceVersion=0`);
      await admin.create(at(kind)(), object(kind, 'one', { a: '1' }));
      await watch.take(1);

      await admin.patch('merge', crds(nameOf(kind)), {
        spec: { versions: schemaOf({ a: string, b: { type: 'string', default: 'new' } }) },
      });
      await watch.ended();

      const second = await accepted(admin, `${at(kind)()}?resourceVersion=0`);
      const [added] = await second.take(1);
      second.close();
      expect(told(watch)).toEqual(['ADDED one']);
      expect([added?.type, added?.object.spec]).toEqual(['ADDED', { a: '1', b: 'new' }]);
    });

    check('that begin before a change of the schema are expired', async ({ admin }) => {
      const kind = 'Expiring';
      await install(admin, { group, kind, versions: schemaOf({ a: string }) });
      await admin.create(at(kind)(), object(kind, 'one'));
      const before = await versionOfList(admin, at(kind)());
      const open = await accepted(admin, `${at(kind)()}?resourceVersion=${before}`);
      await admin.patch('merge', crds(nameOf(kind)), { spec: { versions: schemaOf({ a: string, b: string }) } });
      await open.ended();

      const late = await accepted(admin, `${at(kind)()}?resourceVersion=${before}`);
      await late.ended();

      expect([late.status, late.events[0]?.type, late.events[0]?.object.code]).toEqual([200, 'ERROR', 410]);
      expect(late.events[0]?.object.reason).toBe('Expired');
    });

    check('end for every version when one is not served any more', async ({ admin }) => {
      const kind = 'Retired';
      const versions = (isServed: boolean) => [
        ...schemaOf({ a: string }),
        { ...schemaOf({ a: string })[0], name: 'v2', served: isServed, storage: false },
      ];
      await install(admin, { group, kind, versions: versions(true) });
      const watches = await Promise.all(['v1', 'v2'].map((version) => accepted(admin, at(kind, version)())));

      await admin.patch('merge', crds(nameOf(kind)), { spec: { versions: versions(false) } });

      for (const watch of watches) await watch.ended();
      expect(watches.map(told)).toEqual([[], []]);
      await eventually(async () => (await admin.get(at(kind, 'v2')())).status === 404, { what: 'v2 is not served' });
      await eventually(async () => (await admin.get(at(kind)())).status === 200, { what: 'v1 is served' });
    });

    check('end when other short names are accepted', async ({ admin }) => {
      const kind = 'Renicknamed';
      await install(admin, { group, kind });
      const watch = await accepted(admin, at(kind)());

      await admin.patch('merge', crds(nameOf(kind)), { spec: { names: { shortNames: ['rnn'] } } });

      await watch.ended();
      expect(told(watch)).toEqual([]);
    });

    check('go on when only metadata of the definition change', async ({ admin }) => {
      const kind = 'Labelled';
      await install(admin, { group, kind });
      const watch = await accepted(admin, at(kind)());

      await admin.patch('merge', crds(nameOf(kind)), { metadata: { labels: { a: '1' } } });
      await admin.create(at(kind)(), object(kind, 'one'));

      await watch.take(1);
      expect(told(watch)).toEqual(['ADDED one']);
      watch.close();
    });

    check('tell of the last objects and end when the definition is deleted', async ({ admin }) => {
      const kind = 'Removed';
      await install(admin, { group, kind });
      await admin.create(at(kind)(), object(kind, 'one'));
      await admin.create(at(kind)(), {
        ...object(kind, 'held'),
        metadata: { name: 'held', finalizers: ['x.io/hold'] },
      });
      const watch = await accepted(admin, at(kind)());
      await watch.take(2);

      await admin.delete(crds(nameOf(kind)));
      await watch.take(4);
      await admin.patch('merge', at(kind)('held'), { metadata: { finalizers: null } });
      await watch.ended();

      expect(watch.status).toBe(200);
      expect(told(watch).slice(0, 2).sort()).toEqual(['ADDED held', 'ADDED one']);
      expect(told(watch).slice(2, 4).sort()).toEqual(['DELETED one', 'MODIFIED held']);
      expect(told(watch).slice(4)).toEqual(['DELETED held']);
    });
  },
  { concurrent: true },
);
