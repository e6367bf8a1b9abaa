import { type Plane, startPlane } from '@klutch/kit';
import { createNamespace, describeReal } from '@klutch/kit/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { valueAt } from './changed.ts';
import { expectOutcome } from './expect-outcome.ts';
import { installCrd, removeCrd } from './install-crd.ts';
import { hasKubectl, kubectl } from './kubectl.ts';
import { applyBoth, mergeRows } from './merge-rows.ts';
import { playRow } from './play-row.ts';
import { printedRows } from './printed-rows.ts';
import { printedTable } from './printed-table.ts';
import { accepted, creating } from './row.ts';
import type { Table } from './table.ts';
import { apiServiceBinding, clusterScopedAPIServiceBinding } from './tables/api-service-binding.ts';
import { apiServiceExportRequest } from './tables/api-service-export-request.ts';
import { anyninesAPIServiceExportTemplate, apiServiceExportTemplate } from './tables/api-service-export-template.ts';
import { apiServiceExport } from './tables/api-service-export.ts';
import { apiServiceNamespace } from './tables/api-service-namespace.ts';
import { appClusterBinding } from './tables/app-cluster-binding.ts';
import { clusterBinding } from './tables/cluster-binding.ts';

const tables: readonly Table[] = [
  apiServiceBinding,
  apiServiceExport,
  apiServiceExportRequest,
  apiServiceNamespace,
  clusterBinding,
  appClusterBinding,
  apiServiceExportTemplate,
  anyninesAPIServiceExportTemplate,
];

const fileOf = ({ crd }: Table) => `${crd.spec.group}_${crd.spec.names.plural}.yaml`;
const clusterScopedFile = `cluster-scoped/${fileOf(clusterScopedAPIServiceBinding)}`;

// A plane of its own: the tests exchange one form of a CRD for another, which no other test would survive.
describeReal('the CRDs on a real API server', () => {
  let plane: Plane;
  beforeAll(async () => {
    plane = await startPlane({ controllerManager: false });
    await Promise.all(tables.map((table) => installCrd(plane, fileOf(table))));
  });
  afterAll(() => plane?.stop());

  it.each(tables.map(fileOf))('%s stays as it is when applied again', async (file) => {
    const before = await installCrd(plane, file);
    const after = await installCrd(plane, file);

    expect(before.metadata.generation).toBe(1);
    expect(after.metadata).toEqual(before.metadata);
  });

  describe.each(tables.map((table) => [`${table.crd.spec.names.kind} of ${table.crd.spec.group}`, table] as const))(
    '%s',
    (_, table) => {
      it.each(table.rows.map((row) => [row.title, row] as const))('%s', async (_title, row) => {
        expectOutcome(await playRow(plane, table, row), row.expected);
      });
    },
  );

  describe('server-side apply by two managers', () => {
    it.each(mergeRows.map((row) => [row.title, row] as const))('%s', async (_, row) => {
      const object = await applyBoth(plane, row);

      expect(valueAt(object, row.path)).toEqual(row.merged);
    });
  });

  describe('kubectl get', () => {
    it.each(printedRows)('shows %s', async (_, table, status, headings, cells) => {
      const path = await storedIn(plane, table, status);

      const printed = await printedTable(plane, path);

      expect(printed.headings).toEqual(headings);
      expect(printed.rows).toEqual([cells]);
    });

    it('shows in wide output whether an exported API is established', async () => {
      const path = await storedIn(plane, apiServiceExport, {});

      const { wideHeadings } = await printedTable(plane, path);

      expect(wideHeadings).toEqual(['Name', 'Established', 'Age']);
    });

    it.runIf(hasKubectl)('knows the short name and the category', async () => {
      const path = await storedIn(plane, apiServiceBinding, { providerPrettyName: 'Acme' });
      const namespace = path.split('/')[5] ?? '';

      expect(kubectl(plane, namespace, 'get', 'sb')).toMatch(
        /^NAME +PROVIDER +READY +MESSAGE +AGE\nwidgets\.example\.org +Acme /,
      );
      expect(kubectl(plane, namespace, 'get', 'kube-bindings', '-o', 'name')).toBe(
        'apiservicebinding.klutch.anynines.com/widgets.example.org\n',
      );
    });
  });

  // Last, as it takes away the CRD that the other tests use.
  describe('the cluster-scoped form of APIServiceBinding', () => {
    beforeAll(() => removeCrd(plane, fileOf(apiServiceBinding)));

    it('is established and stays as it is when applied again', async () => {
      const before = await installCrd(plane, clusterScopedFile);
      const after = await installCrd(plane, clusterScopedFile);

      expect(before.spec.scope).toBe('Cluster');
      expect(after.metadata).toEqual(before.metadata);
    });

    it('stores bindings without namespace', async () => {
      const { plain } = clusterScopedAPIServiceBinding;

      expectOutcome(await playRow(plane, clusterScopedAPIServiceBinding, creating('', {}, accepted)), accepted);
      const { rows: printed } = await printedTable(plane, '/apis/klutch.anynines.com/v1alpha1/apiservicebindings');

      expect(printed.map(([name]) => name)).toEqual([plain.metadata.name]);
    });

    it('does not give way to the namespaced form, as Kubernetes does not let a scope change', async () => {
      await expect(installCrd(plane, fileOf(apiServiceBinding))).rejects.toThrow('field is immutable');
    });
  });
});

/** Stores the plain object of a kind with a status, and returns the path of the list that holds only it. */
async function storedIn(plane: Plane, table: Table, status: object): Promise<string> {
  const { group, names } = table.crd.spec;
  const path = `/apis/${group}/v1alpha1/namespaces/${await createNamespace(plane, 'print')}/${names.plural}`;
  const stored = await plane.admin.request<object>('POST', path, { body: table.plain });
  const object = `${path}/${table.plain.metadata.name}/status`;
  const reported = await plane.admin.request('PUT', object, { body: { ...stored.body, status } });
  expect(reported.status).toBe(200);
  return path;
}
