import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { APIServiceBindings, appCluster as names, crds } from '@klutch/api';
import { defaultLayer, definitionOf, readCatalogue } from '@klutch/catalog';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { Namespaces, type UnknownObject } from '@klutch/kube';
import { crdsOf } from '@klutch/xrd';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import { installCrd, openOwnCluster } from '../konnector/world.ts';

const own = {
  path: 'services/postgresql.yaml',
  text: `
plans:
  postgresql-single-nano: { cost: 2 EUR per month, limits: { memory: 1Gi } }
  postgresql-single-big: { cost: 20 EUR per month, limits: { memory: 16Gi } }
`,
};

/** An app cluster in which PostgreSQL is bound, and the provider tells about its plans. */
async function openBound(tier: Tier) {
  const cluster = await openOwnCluster(tier);
  onTestFinished(() => cluster.close());
  for (const crd of crds) await installCrd(cluster.admin, crd);
  const { catalogue } = readCatalogue([await defaultLayer(), [own]]);
  const service = catalogue?.services.find(({ name }) => name === 'postgresql');
  if (!catalogue || !service) throw new Error('The catalogue has no PostgreSQL.');
  const { claim } = crdsOf(definitionOf(service, catalogue));
  if (!claim) throw new Error('PostgreSQL has no claims.');
  await installCrd(cluster.admin, claim);
  await cluster.admin
    .resource(Namespaces)
    .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: names.namespace } });
  await cluster.admin.resource(APIServiceBindings).create({
    apiVersion: 'klutch.anynines.com/v1alpha1',
    kind: 'APIServiceBinding',
    metadata: { name: claim.metadata.name, namespace: names.namespace },
    spec: { kubeconfigSecretRef: { name: 'kubeconfig', namespace: names.namespace, key: 'kubeconfig' } },
  });
  const kubeconfig = join(await scratchFolder(), 'config');
  await writeFile(kubeconfig, await cluster.kubeconfig(), { mode: 0o600 });
  const services = async (...args: readonly string[]) => {
    const run = runCommand(['services', ...args, '--kubeconfig', kubeconfig]);
    return { code: await run.ended(), out: run.out(), err: run.err() };
  };
  return { cluster, services };
}

function services(tier: Tier): void {
  it('shows plans with costs and limits, and an example that is accepted as it is', async () => {
    const { cluster, services } = await openBound(tier);
    const { out } = await services('postgresql');
    expect(out).toMatch(/^PLAN +COST .*MEMORY/m);
    expect(out).toMatch(/^postgresql-single-big +20 EUR per month .*16Gi/m);
    expect(out).toMatch(/^See https:\/\/.*postgresql/m);
    expect((await services()).out).toMatch(/postgresql-single-nano.*, postgresql-single-big/);

    const printed = await services('postgresql', '--example', '-n', 'default');
    expect(printed.code, printed.err).toBe(0);
    const claim = parse(printed.out) as UnknownObject;
    expect(claim).toMatchObject({ kind: 'PostgresqlInstance', metadata: { namespace: 'default' } });
    const type = {
      group: 'anynines.com',
      version: 'v1',
      plural: 'postgresqlinstances',
      kind: claim.kind,
      namespaced: true,
    };
    await expect(cluster.admin.resource(type).create(claim)).resolves.toMatchObject({ spec: claim['spec'] });
  }, 120_000);

  it('needs the name of a service for an example', async () => {
    const { services } = await openBound(tier);
    expect(await services('--example')).toMatchObject({ code: 2, err: expect.stringContaining('name of a service') });
    expect(await services('mysql', '--example')).toMatchObject({
      code: 2,
      err: expect.stringContaining('postgresqlinstances.anynines.com'),
    });
  }, 120_000);
}

describe('klutch services (embedded)', () => services('embedded'));
describeReal('klutch services (real)', () => services('real'));
