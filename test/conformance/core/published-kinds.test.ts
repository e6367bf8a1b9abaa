import { expect } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { inCluster, inNamespace } from '../paths.ts';
import { conformance } from '../suite.ts';
import { type Sample, samples } from './published-kinds.ts';
import { rows } from './published-rows.ts';

const namespace = 'conf-published';
/** Cluster-wide objects need names that no other file uses. */
const name = 'conf-published';

const pathsOf = ({ path, clusterWide }: Sample) => (clusterWide ? inCluster(path) : inNamespace(path, namespace));

const objectOf = ({ kind, path, fields }: Sample, more: object = {}) => ({
  apiVersion: path.split('/').slice(0, -1).join('/'),
  kind,
  metadata: { name },
  ...fields,
  ...more,
});

/** The value at a path of field names. */
const at = (object: unknown, path: string) =>
  path.split('.').reduce<unknown>((value, field) => (value as Record<string, unknown> | undefined)?.[field], object);

/** An object with nothing but a value at a path. */
const only = (path: string, value: unknown) =>
  path.split('.').reduceRight<unknown>((inner, field) => ({ [field]: inner }), value) as object;

interface Table {
  readonly columnDefinitions: readonly { name: string; type: string; format: string; priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

/** Columns with their types and what the first row shows, but for times. */
function rowOf(table: Table): readonly unknown[] {
  return table.columnDefinitions.map(({ name: column, type, format, priority }, index) => [
    column,
    [type, format, priority > 0 ? 'wide' : ''].filter((word) => word !== '').join(' '),
    { Age: '<age>', 'Created At': '<time>' }[column] ?? table.rows[0]?.cells[index],
  ]);
}

/** The types of patches that all built-in kinds take, each with a change that is expressed in the same way. */
const mergingPatches = ['merge', 'strategic'] as const;

async function remove(admin: Client, path: string): Promise<Answer> {
  const answer = await admin.delete(path, { gracePeriodSeconds: 0, propagationPolicy: 'Background' });
  // What kube-apiserver protects by a finalizer would stay, since nothing that uses it is there.
  await admin.patch('merge', path, { metadata: { finalizers: null } });
  return answer;
}

conformance('kinds as they are published', ({ check, prepare }) => {
  prepare((server) => server.createNamespace(namespace));

  for (const sample of samples) {
    const paths = pathsOf(sample);
    const [field, value] = sample.change;

    check(`${sample.kind} is created, read, listed and deleted`, async ({ admin }) => {
      const { status, body } = await admin.post(paths(), objectOf(sample));
      const read = await admin.get(paths(name));
      const { body: list } = await admin.get(paths());
      const removed = await remove(admin, paths(name));

      expect([status, body.kind, body.metadata.generation]).toEqual([201, sample.kind, sample.counts ? 1 : undefined]);
      expect(body).toMatchObject(sample.fields);
      expect([read.status, read.body]).toEqual([200, body]);
      expect([list.kind, list.items.some((item) => item.metadata.name === name)]).toEqual([`${sample.kind}List`, true]);
      expect([removed.status, removed.body.kind]).toEqual([200, sample.returnsDeleted ? sample.kind : 'Status']);
      expect((await admin.get(paths(name))).status).toBe(404);
    });

    check(`${sample.kind} is shown in columns`, async ({ admin }) => {
      await admin.create(paths(), objectOf(sample));
      const { body } = await admin.get(paths(name), { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
      await remove(admin, paths(name));

      expect(rowOf(body as unknown as Table)).toEqual(rows[sample.kind]);
    });

    for (const type of mergingPatches) {
      check(`${sample.kind} takes ${type} patches`, async ({ admin }) => {
        await admin.create(paths(), objectOf(sample));
        const { status, body } = await admin.patch(type, paths(name), only(field, value));
        await remove(admin, paths(name));

        expect(status).toBe(200);
        expect(at(body, field)).toEqual(value);
      });
    }

    check(`${sample.kind} can be applied`, async ({ admin }) => {
      const created = await admin.apply(paths(name), 'conf', objectOf(sample));
      const again = await admin.apply(paths(name), 'conf', objectOf(sample));
      await remove(admin, paths(name));

      expect([created.status, again.status]).toEqual([201, 200]);
      expect(created.body.metadata.managedFields).toMatchObject([{ manager: 'conf', operation: 'Apply' }]);
    });

    check(
      `${sample.kind} is replaced${sample.conditional ? ' only in a version that is named' : ''}`,
      async ({ admin }) => {
        const missing = await admin.put(paths(name), objectOf(sample));
        if (missing.status === 404) await admin.create(paths(), objectOf(sample));
        const { body } = await admin.get(paths(name));
        const { status } = await admin.put(paths(name), {
          ...body,
          metadata: { ...body.metadata, resourceVersion: undefined },
        });
        await remove(admin, paths(name));

        expect([missing.status, status]).toEqual([sample.createdByPut ? 201 : 404, sample.conditional ? 422 : 200]);
      },
    );

    check(`${sample.kind} has only the fields that are published`, async ({ admin }) => {
      const odd = objectOf(sample, { unheardOf: 1 });
      const strict = await admin.post(`${paths()}?dryRun=All&fieldValidation=Strict`, odd);
      const lenient = await admin.post(`${paths()}?dryRun=All&fieldValidation=Warn`, odd);

      expect([strict.status, strict.body.message]).toEqual([
        400,
        `${sample.kind} in version "${odd.apiVersion.split('/').at(-1)}" cannot be handled as a ${sample.kind}: strict decoding error: unknown field "unheardOf"`,
      ]);
      expect([lenient.status, lenient.body['unheardOf']]).toEqual([201, undefined]);
      expect(lenient.warnings).toContain('299 - "unknown field \\"unheardOf\\""');
    });
  }
});
