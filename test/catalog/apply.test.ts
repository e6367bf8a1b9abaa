import { APIServiceExportTemplates, CustomResourceDefinitions } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { describe, expect, it } from 'vitest';
import { Compositions, Definitions } from '../../packages/cli/src/catalog/object-types.ts';
import { addTenant, claimType, openCatalogScene, openPlainScene, writeFolder } from './scene.ts';

const providerConfigs = {
  group: 'dataservices.anynines.com',
  version: 'v1',
  plural: 'providerconfigs',
  kind: 'ProviderConfig',
  namespaced: false,
};

function applying(tier: Tier): void {
  it('makes a control plane offer a catalogue, and does nothing the second time', async () => {
    const { admin, catalog } = await openCatalogScene(tier);
    const tried = await catalog('apply', '--dry-run');
    expect(tried.code, tried.err).toBe(0);
    expect((await admin.resource(Definitions).list()).items).toEqual([]);

    const applied = await catalog('apply');

    expect(applied.code, applied.err).toBe(0);
    expect((await admin.resource(Definitions).list()).items).toHaveLength(11);
    expect((await admin.resource(Compositions).list()).items).toHaveLength(15);
    expect((await admin.resource(APIServiceExportTemplates).list()).items).toHaveLength(11);
    expect((await admin.resource(providerConfigs).list()).items).toHaveLength(16);
    const versions = (items: readonly { readonly metadata: { readonly resourceVersion?: string } }[]) =>
      items.map(({ metadata }) => metadata.resourceVersion);
    const before = versions((await admin.resource(Compositions).list()).items);
    const again = await catalog('apply');
    expect(again).toMatchObject({ code: 0, err: expect.stringContaining('No object of the control plane changes.') });
    expect(versions((await admin.resource(Compositions).list()).items)).toEqual(before);
  }, 240_000);

  it('refuses to break instances unless it is told to, and leaves provider configs alone', async () => {
    const { admin, catalog } = await openCatalogScene(tier);
    expect(await catalog('apply')).toMatchObject({ code: 0 });
    const namespace = await addTenant(admin, 'acme');
    const type = claimType('MariadbInstance');
    await admin.resource(type).create({
      apiVersion: 'anynines.com/v1',
      kind: type.kind,
      metadata: { name: 'db', namespace },
      spec: { service: 'a9s-mariadb106', plan: 'mariadb-single-nano', parameters: { binlogExpireDays: 3 } },
    });
    const address = { spec: { url: 'https://broker.acme.example' } };
    const ref = { name: 'mariadb-service-broker' };
    await admin.resource(providerConfigs).patch(ref, { type: 'merge', patch: address });
    const folder = await writeFolder({
      'services/mariadb.yaml': 'parameters:\n  binlogExpireDays: null\nplans:\n  mariadb-single-nano: null\n',
    });

    expect(await catalog('check', folder)).toMatchObject({ code: 0 });
    const checked = await catalog('check', folder, '--instances');
    expect(checked.code).toBe(2);
    expect(checked.out).toMatch(
      /services\/mariadb\.yaml:2:3: MariadbInstance .*\/db of tenant acme: It loses spec\.parameters/,
    );

    const refused = await catalog('apply', folder);

    expect(refused.code).toBe(6);
    expect(refused.err).toMatch(
      /MariadbInstance .*\/db of tenant acme \(cluster-acme\): It loses spec.parameters.binlogExpireDays/,
    );
    expect(refused.err).toMatch(
      /MariadbInstance .*\/db .*: It keeps what it has and can be edited, .*spec\.plan: Unsupported plan used/,
    );
    expect(refused.err).toContain('--allow-breaking');

    expect(await catalog('apply', folder, '--allow-breaking')).toMatchObject({ code: 0 });

    const labels = { metadata: { labels: { team: 'blue' } }, spec: { parameters: { databases: ['extra'] } } };
    const edited = await admin.resource(type).patch({ namespace, name: 'db' }, { type: 'merge', patch: labels });
    expect(edited).toMatchObject({ spec: { plan: 'mariadb-single-nano', parameters: { databases: ['extra'] } } });
    expect(await admin.resource(providerConfigs).get(ref)).toMatchObject(address);
  }, 240_000);
}

function applyingWithoutEngine(tier: Tier): void {
  it('installs CRDs and templates where nothing composes, and says so', async () => {
    const { admin, catalog } = await openPlainScene(tier);

    const { code, err } = await catalog('apply');

    expect(code, err).toBe(0);
    expect(err).toContain('Crossplane is not installed');
    const crd = await admin.resource(CustomResourceDefinitions).get({ name: 'postgresqlinstances.anynines.com' });
    expect(crd.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }));
    expect((await admin.resource(APIServiceExportTemplates).list()).items).toHaveLength(11);
    expect((await catalog('diff')).out).toContain('No object of the control plane changes.');
  }, 240_000);
}

describe('klutch catalog apply (embedded)', () => {
  applying('embedded');
  applyingWithoutEngine('embedded');
});
describeReal('klutch catalog apply (real)', () => applyingWithoutEngine('real'));
describeReal('klutch catalog apply with Crossplane (real)', () => applying('real'), { needs: ['crossplane'] });
