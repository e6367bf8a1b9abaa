import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { annotations, APIServiceNamespaces, apiVersion, kubeconfigOf, parseBindingResponse } from '@klutch/api';
import { connect, isKubeError, type KubeObject, Namespaces, parseKubeconfig, Secrets } from '@klutch/kube';
import { expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Role } from '../../packages/backend/src/objects/rbac.ts';
import { runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { onOwnPlane, provide, sampleApi, type TestCluster, unique } from './exports-world.ts';
import { type Launched, launch, patiently, webFor } from './process-world.ts';
import { send } from './scripted-browser.ts';
import { startScriptedIssuer } from './scripted-issuer.ts';
import { baseUrl } from './web-world.ts';

const claim = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } } as const;

/** A kubeconfig of the administrator in a file. */
async function kubeconfigFile(plane: TestCluster): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'klutch-process-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'config');
  await writeFile(file, await plane.kubeconfig());
  return file;
}

async function klutch(plane: TestCluster, ...args: readonly string[]) {
  const [command = '', name = '', ...rest] = args;
  const run = runCommand([command, name, `--kubeconfig=${await kubeconfigFile(plane)}`, ...rest]);
  return { code: await run.ended(), out: run.out(), err: run.err() };
}

/** An app cluster that was bound, with a namespace that has data in it. */
async function bound(plane: TestCluster) {
  const issuer = await startScriptedIssuer({ clientId: 'klutch', clientSecret: 'client-secret' });
  onTestFinished(() => issuer.close());
  const api = sampleApi();
  await provide(plane, api, { claims: [claim] });
  const backend: Launched = await launch(plane, { offers: [{ api, claims: [claim] }], web: webFor(issuer, baseUrl) });
  const port = Number(new URL(backend.backend.url()).port);
  const now = Math.floor(Date.now() / 1000);
  const token = issuer.sign({
    sub: 'p',
    client_id: 'pipeline',
    aud: 'klutch',
    scope: 'klutch/bind',
    iat: now,
    exp: now + 300,
  });
  const { group, plural } = api.type;
  const body = JSON.stringify({ clusterID: unique('app'), apis: [{ group, resource: plural }] });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await patiently(async () => {
    const got = await send(new URL('/bind-noninteractive', baseUrl), { method: 'POST', headers, body }, port);
    return got.status === 200 && got;
  });
  const config = parseKubeconfig(kubeconfigOf(parseBindingResponse(answer.text)), {
    source: 'the answer',
    trust: 'foreign',
  });
  const tenant = connect(config, { userAgent: 'klutch-test/1' });
  onTestFinished(() => tenant.close());
  const namespace = config.namespace ?? '';
  const metadata = { name: 'prod', namespace };
  await patiently(() =>
    tenant.resource(APIServiceNamespaces).create({ apiVersion, kind: 'APIServiceNamespace', metadata }),
  );
  const service = await patiently(
    async () => (await tenant.resource(APIServiceNamespaces).get(metadata)).status?.namespace,
  );
  return { tenant, namespace, service, api, backend };
}

onOwnPlane('the operator of a control plane', (plane) => {
  it('BE-59 revokes an app cluster, which loses access and keeps its data, and purges it', async () => {
    const { tenant, namespace, service } = await bound(plane());
    const mayRead = () =>
      tenant
        .resource(Secrets)
        .list({ namespace })
        .then(
          () => true,
          (error: unknown) => {
            if (isKubeError(error, 'KUBE_UNAUTHORIZED')) return false;
            throw error;
          },
        );
    expect(await mayRead()).toBe(true);

    const early = await klutch(plane(), 'backend', 'purge', namespace, '--yes');
    expect(early).toMatchObject({ code: 2, err: expect.stringContaining('klutch backend revoke') });
    const unasked = await klutch(plane(), 'backend', 'revoke', namespace);
    expect(unasked).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    const revoked = await klutch(plane(), 'backend', 'revoke', namespace, '--yes');

    expect(revoked).toMatchObject({ code: 0, err: expect.stringContaining('has no access any more') });
    expect(revoked.err).toContain(`Its data stays, in namespaces ${service}.`);
    await patiently(async () => !(await mayRead()));
    expect(await plane().admin.resource(Namespaces).find({ name: service })).toBeDefined();

    const restored = await klutch(plane(), 'backend', 'restore', namespace, '--yes');
    expect(restored.code).toBe(0);
    const { metadata } = await plane().admin.resource(Namespaces).get({ name: namespace });
    expect(metadata.annotations?.[annotations.access]).toBeUndefined();

    await klutch(plane(), 'backend', 'revoke', namespace, '--yes');
    const purged = await klutch(plane(), 'backend', 'purge', namespace, '--yes');
    expect(purged).toMatchObject({ code: 0, err: expect.stringContaining('is gone') });
    expect(await plane().admin.resource(Namespaces).find({ name: service })).toBeUndefined();
  }, 180_000);

  it('BE-59 revokes an app cluster while no backend runs, and restores it without bringing a credential back', async () => {
    const { tenant, namespace, backend } = await bound(plane());
    await backend.stop();
    const isKnown = () =>
      tenant
        .resource(Secrets)
        .list({ namespace })
        .then(
          () => true,
          (error: unknown) => {
            if (isKubeError(error, 'KUBE_UNAUTHORIZED')) return false;
            throw error;
          },
        );
    expect(await isKnown()).toBe(true);

    const revoked = await klutch(plane(), 'backend', 'revoke', namespace, '--yes');
    expect(revoked).toMatchObject({ code: 0, err: expect.stringContaining('has no access any more') });
    expect(await isKnown()).toBe(false);

    expect(await klutch(plane(), 'backend', 'restore', namespace, '--yes')).toMatchObject({ code: 0 });
    expect(await isKnown()).toBe(false);
  }, 180_000);

  it('sees all app clusters, and everything about one', async () => {
    const { namespace, service, api } = await bound(plane());

    const { code, out } = await klutch(plane(), 'backend', 'list', '-o', 'json');
    expect(code).toBe(0);
    const { appClusters } = JSON.parse(out) as { readonly appClusters: readonly { readonly namespace: string }[] };
    expect(appClusters.find((one) => one.namespace === namespace)).toMatchObject({
      tenant: 'acme',
      access: 'Granted',
      serviceNamespaces: [service],
      credentialEnds: expect.stringMatching(/^20\d\d-/),
    });
    const table = await klutch(plane(), 'backend', 'list');
    expect(table.out).toMatch(/TENANT +CLUSTER NAMESPACE +APIS +LAST CONTACT +KONNECTOR +CREDENTIAL ENDS +ACCESS/);
    expect((await klutch(plane(), 'backend', 'list', '-o', 'wide')).out).toContain('PROBLEMS');

    const described = await patiently(async () => {
      const { out: text } = await klutch(plane(), 'backend', 'describe', namespace);
      return text.includes('Bind of') ? text : undefined;
    });
    expect(described).toContain(`Bind of ${api.name} by`);
    expect(described).toMatch(/Problems:\n.*The konnector has not reported yet/);
    await klutch(plane(), 'backend', 'revoke', namespace, '--yes');
    const after = await klutch(plane(), 'backend', 'describe', namespace);
    expect(after.out).toContain(`klutch backend restore ${namespace}`);
    expect((await klutch(plane(), 'backend', 'describe', 'default')).code).toBe(2);
  }, 180_000);

  it('cannot revoke what is no app cluster', async () => {
    const { code, err } = await klutch(plane(), 'backend', 'revoke', 'kube-system', '--yes');

    expect({ code, err }).toMatchObject({ code: 6, err: expect.stringContaining('does not stand for an app cluster') });
    expect((await klutch(plane(), 'backend', 'revoke', 'not-there', '--yes')).code).toBe(2);
  });

  it('S-14 installs the backend from manifests that its templates ask for', async () => {
    const api = sampleApi();
    await provide(plane(), api, { claims: [claim] });
    const name = unique('ops');

    const { code, out } = await klutch(plane(), 'backend', 'manifests', '-n', name, '--', '--control-plane-mode');

    expect(code).toBe(0);
    const manifests = parseAllDocuments(out).map((document) => document.toJS() as KubeObject);
    for (const manifest of manifests) await apply(plane(), manifest);
    const words = (role: string) => {
      const { rules = [] } = manifests.find(
        ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === role,
      ) as Role;
      return rules.flatMap(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs]);
    };
    expect(words('klutch-backend-tenant')).toEqual(expect.arrayContaining([api.type.group, api.type.plural]));
    expect(words('klutch-backend')).not.toContain(api.type.group);
    for (const role of ['klutch-backend', 'klutch-backend-tenant', 'klutch-backend-app-cluster-bindings']) {
      for (const forbidden of ['*', 'escalate', 'impersonate']) expect(words(role)).not.toContain(forbidden);
    }
  });
});

/** Writes a manifest as `kubectl apply` does. */
async function apply({ admin }: TestCluster, manifest: KubeObject): Promise<void> {
  const [group, version] = manifest.apiVersion.includes('/')
    ? manifest.apiVersion.split('/')
    : ['', manifest.apiVersion];
  const plural = `${manifest.kind.toLowerCase()}s`.replace(/ys$/, 'ies');
  const type = {
    group: group ?? '',
    version: version ?? '',
    plural,
    kind: manifest.kind,
    namespaced: manifest.metadata.namespace !== undefined,
  };
  await admin.resource(type).apply({ ...manifest }, { fieldManager: 'klutch-test', fieldValidation: 'Strict' });
}
