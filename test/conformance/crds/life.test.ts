import { readdirSync, readFileSync } from 'node:fs';
import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { Received } from '../client.ts';
import { crds, definition, install, served, specOf } from '../definition.ts';
import { masked, storedMeta } from '../mask.ts';
import { inNamespace, pathOf } from '../paths.ts';
import { type Causes, expectRefusal, forbidden, invalid, notFound, refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const group = 'life.conf.example';
const namespace = 'conf-crd-life';

conformance(
  'life of a definition',
  ({ check, prepare }) => {
    prepare((server) => server.createNamespace(namespace));

    check('begins with names completed and no conditions', async ({ admin }) => {
      const schema = specOf({ a: { type: 'string' } });
      const { status, body } = await admin.post(crds(), definition({ group, kind: 'Born', schema }));

      expect([status, masked(body)]).toEqual([
        201,
        {
          kind: 'CustomResourceDefinition',
          apiVersion: 'apiextensions.k8s.io/v1',
          metadata: storedMeta(`borns.${group}`, undefined, { generation: 1 }),
          spec: {
            group,
            names: { plural: 'borns', singular: 'born', kind: 'Born', listKind: 'BornList' },
            scope: 'Namespaced',
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: {
                  openAPIV3Schema: {
                    type: 'object',
                    properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
                  },
                },
              },
            ],
            conversion: { strategy: 'None' },
          },
          status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
        },
      ]);
    });

    check('goes on with accepted names, established', async ({ admin }) => {
      const crd = await install(admin, { group, kind: 'Grown', names: { shortNames: ['gr'], categories: ['all'] } });

      expect(masked(crd.status)).toEqual({
        conditions: [
          {
            type: 'NamesAccepted',
            status: 'True',
            lastTransitionTime: '<time>',
            reason: 'NoConflicts',
            message: 'no conflicts found',
          },
          {
            type: 'Established',
            status: 'True',
            lastTransitionTime: '<time>',
            reason: 'InitialNamesAccepted',
            message: 'the initial names have been accepted',
          },
        ],
        acceptedNames: {
          plural: 'growns',
          singular: 'grown',
          shortNames: ['gr'],
          kind: 'Grown',
          listKind: 'GrownList',
          categories: ['all'],
        },
        storedVersions: ['v1'],
      });
      expect(crd.metadata.generation).toBe(1);
    });

    check('serves objects with the kind in every item of a list', async ({ admin }) => {
      await install(admin, { group, kind: 'Listed' });
      const items = inNamespace(`${group}/v1/listeds`, namespace);
      await admin.create(items(), {
        apiVersion: `${group}/v1`,
        kind: 'Listed',
        metadata: { name: 'a' },
        spec: { x: 1 },
      });

      const { body } = await admin.get(items());

      expect(masked(body)).toEqual({
        apiVersion: `${group}/v1`,
        items: [
          {
            apiVersion: `${group}/v1`,
            kind: 'Listed',
            metadata: storedMeta('a', namespace, { generation: 1 }),
            spec: { x: 1 },
          },
        ],
        kind: 'ListedList',
        metadata: { continue: '', resourceVersion: '<version>' },
      });
    });

    check('serves cluster-scoped objects outside of namespaces only', async ({ admin }) => {
      await install(admin, { group, kind: 'Wide', scope: 'Cluster' });
      const wide = { apiVersion: `${group}/v1`, kind: 'Wide', metadata: { name: 'a' } };

      const created = await admin.post(`/apis/${group}/v1/wides`, wide);
      const inside = await admin.post(`/apis/${group}/v1/namespaces/${namespace}/wides`, wide);

      expect([created.status, created.body.metadata.namespace]).toEqual([201, undefined]);
      expect([inside.status, inside.text]).toEqual([404, '404 page not found\n']);
    });

    check('refuses a namespaced object without a namespace', async ({ admin }) => {
      await install(admin, { group, kind: 'Narrow' });

      const sent = { apiVersion: `${group}/v1`, kind: 'Narrow', metadata: { name: 'a' } };
      const { status, text } = await admin.post(`/apis/${group}/v1/narrows`, sent);

      expect([status, text]).toEqual([404, '404 page not found\n']);
    });

    check('knows no strategic merge patches', async ({ admin }) => {
      await install(admin, { group, kind: 'Unstrategic' });
      const items = inNamespace(`${group}/v1/unstrategics`, namespace);

      expectRefusal(
        await admin.patch('strategic', items('x'), {}),
        refusal(
          415,
          'UnsupportedMediaType',
          'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
        ),
      );
    });

    check('refuses objects in a namespace that does not exist', async ({ admin }) => {
      await install(admin, { group, kind: 'Lost' });
      const path = pathOf(`${group}/v1/losts`, { namespace: 'conf-nowhere' });

      expectRefusal(
        await admin.post(path, { apiVersion: `${group}/v1`, kind: 'Lost', metadata: { name: 'a' } }),
        notFound('namespaces', 'conf-nowhere'),
      );
    });

    check('does not let a name be taken twice', async ({ admin }) => {
      await install(admin, { group, kind: 'Taken', names: { shortNames: ['tkn'] } });
      await admin.create(
        crds(),
        definition({
          group,
          kind: 'Late',
          names: { singular: 'taken', shortNames: ['tkn', 'lt'], kind: 'Taken', listKind: 'LateList' },
        }),
      );

      const conditions = await eventually(
        async () => (await admin.get(crds(`lates.${group}`))).body.status.conditions ?? undefined,
        { what: 'the second definition has conditions' },
      );

      expect(masked(conditions)).toEqual([
        {
          type: 'NamesAccepted',
          status: 'False',
          lastTransitionTime: '<time>',
          reason: 'KindConflict',
          message: '"Taken" is already in use',
        },
        {
          type: 'Established',
          status: 'False',
          lastTransitionTime: '<time>',
          reason: 'NotAccepted',
          message: 'not all names are accepted',
        },
      ]);
      const { body } = await admin.get(crds(`lates.${group}`));
      expect(body.status.acceptedNames).toEqual({ plural: 'lates', kind: '', listKind: 'LateList' });
      expect((await admin.get(`/apis/${group}/v1/lates`)).status).toBe(404);
    });

    check('gives a name to the next when the first is gone', async ({ admin }) => {
      await install(admin, { group, kind: 'Former' });
      await admin.create(crds(), definition({ group, kind: 'Heir', names: { kind: 'Former', listKind: 'HeirList' } }));
      await eventually(async () => (await admin.get(crds(`heirs.${group}`))).body.status?.conditions !== null, {
        what: 'the heir was looked at',
      });
      await admin.delete(crds(`formers.${group}`));

      const heir = await served(admin, `heirs.${group}`);

      expect(heir.status.acceptedNames).toEqual({
        plural: 'heirs',
        singular: 'former',
        kind: 'Former',
        listKind: 'HeirList',
      });
    });

    const immutable: readonly (readonly [field: string, kind: string, spec: object, cause: Causes[number]])[] = [
      [
        'scope',
        'Fixeda',
        { scope: 'Cluster' },
        ['spec.scope', 'FieldValueInvalid', 'Invalid value: "Cluster": field is immutable'],
      ],
      [
        'group',
        'Fixedb',
        { group: 'other.example' },
        ['spec.group', 'FieldValueInvalid', 'Invalid value: "other.example": field is immutable'],
      ],
      [
        'kind',
        'Fixedc',
        { names: { kind: 'Other' } },
        ['spec.names.kind', 'FieldValueInvalid', 'Invalid value: "Other": field is immutable'],
      ],
      [
        'plural',
        'Fixedd',
        { names: { plural: 'others' } },
        ['spec.names.plural', 'FieldValueInvalid', 'Invalid value: "others": field is immutable'],
      ],
    ];
    for (const [field, kind, spec, cause] of immutable) {
      check(`does not let its ${field} change`, async ({ admin }) => {
        const name = `${kind.toLowerCase()}s.${group}`;
        await install(admin, { group, kind });

        const expected = invalid({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }, name, [cause]);
        expectRefusal(await admin.patch('merge', crds(name), { spec }), expected);
      });
    }

    check('lets other names change, and tells the accepted ones', async ({ admin }) => {
      await install(admin, { group, kind: 'Renamed' });
      const { status } = await admin.patch('merge', crds(`renameds.${group}`), {
        spec: { names: { shortNames: ['rn'] } },
      });

      const accepted = await eventually(
        async () =>
          ((await admin.get(crds(`renameds.${group}`))).body.status.acceptedNames as { shortNames?: string[] })
            .shortNames,
        { what: 'the short name is accepted' },
      );
      expect([status, accepted]).toEqual([200, ['rn']]);
    });

    check('counts its generation by its spec', async ({ admin }) => {
      await install(admin, { group, kind: 'Counted' });
      const labelled = await admin.patch('merge', crds(`counteds.${group}`), { metadata: { labels: { a: '1' } } });
      const changed = await admin.patch('merge', crds(`counteds.${group}`), {
        spec: { names: { shortNames: ['cn'] } },
      });

      expect([labelled.body.metadata.generation, changed.body.metadata.generation]).toEqual([1, 2]);
    });

    check('keeps its status out of reach of a plain update', async ({ admin }) => {
      const crd = await install(admin, { group, kind: 'Guarded' });
      const { body } = await admin.put(crds(`guardeds.${group}`), {
        ...crd,
        status: { storedVersions: ['v1'], conditions: [], acceptedNames: { plural: '', kind: '' } },
      });

      expect(body.status).toEqual(crd.status);
    });

    check('ends with its objects', async ({ admin }) => {
      await install(admin, { group, kind: 'Ended' });
      const items = inNamespace(`${group}/v1/endeds`, namespace);
      await admin.create(items(), { apiVersion: `${group}/v1`, kind: 'Ended', metadata: { name: 'a' } });

      const { status, body } = await admin.delete(crds(`endeds.${group}`));
      await eventually(async () => (await admin.get(crds(`endeds.${group}`))).status === 404, {
        what: 'the definition is gone',
      });

      expect([status, body.kind, body.metadata.finalizers, body.metadata.deletionTimestamp !== undefined]).toEqual([
        200,
        'CustomResourceDefinition',
        ['customresourcecleanup.apiextensions.k8s.io'],
        true,
      ]);
      expect((await admin.get(items())).status).toBe(404);
    });

    check('waits for objects with finalizers, and takes no new ones', async ({ admin }) => {
      await install(admin, { group, kind: 'Held' });
      const items = inNamespace(`${group}/v1/helds`, namespace);
      const held = (name: string, finalizers?: string[]) => ({
        apiVersion: `${group}/v1`,
        kind: 'Held',
        metadata: { name, finalizers },
      });
      await admin.create(items(), held('a', ['x.io/hold']));
      const before = (await admin.get(crds(`helds.${group}`))).body;
      const { body: marked } = await admin.delete(crds(`helds.${group}`));
      await eventually(async () => (await admin.get(items('a'))).body.metadata.deletionTimestamp !== undefined, {
        what: 'the object is marked',
      });

      const refused = await admin.post(items(), held('b'));
      const terminating = await eventually(
        async () =>
          ((await admin.get(crds(`helds.${group}`))).body.status.conditions as { type: string }[]).find(
            ({ type }) => type === 'Terminating',
          ),
        { what: 'the definition tells that it ends' },
      );
      await admin.patch('merge', items('a'), { metadata: { finalizers: null } });
      await eventually(async () => (await admin.get(crds(`helds.${group}`))).status === 404, {
        what: 'the definition is gone',
      });

      const { generation, deletionGracePeriodSeconds } = marked.metadata;
      expect([generation, deletionGracePeriodSeconds]).toEqual([before.metadata.generation, undefined]);
      expectRefusal(
        refused,
        forbidden('helds.life.conf.example', 'b', 'create not allowed while custom resource definition is terminating'),
      );
      expect(masked(terminating)).toEqual({
        type: 'Terminating',
        status: 'True',
        lastTransitionTime: '<time>',
        reason: 'InstanceDeletionInProgress',
        message: 'CustomResource deletion is in progress',
      });
    });

    check('can begin again without its old objects', async ({ admin }) => {
      await install(admin, { group, kind: 'Reborn' });
      const items = inNamespace(`${group}/v1/reborns`, namespace);
      await admin.create(items(), { apiVersion: `${group}/v1`, kind: 'Reborn', metadata: { name: 'a' } });
      await admin.delete(crds(`reborns.${group}`));
      await eventually(async () => (await admin.get(crds(`reborns.${group}`))).status === 404, {
        what: 'the definition is gone',
      });

      await install(admin, { group, kind: 'Reborn' });

      const { body } = await eventually(
        async () => {
          const answer = await admin.get(items());
          return answer.status === 200 && answer;
        },
        { what: 'the new storage answers' },
      );
      expect(body.items).toEqual([]);
    });
  },
  { concurrent: true },
);

conformance('our own definitions', ({ check }) => {
  const folder = new URL('../../../packages/api/crds/', import.meta.url);
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
    check(`include ${file}`, async ({ admin }) => {
      const crd = parse(readFileSync(new URL(file, folder), 'utf8')) as Received;
      const path = `${crds(crd.metadata.name)}?fieldValidation=Strict&dryRun=All`;

      const { status, warnings } = await admin.apply(path, 'conformance', crd);

      expect([status, warnings]).toEqual([201, []]);
    });
  }
});
