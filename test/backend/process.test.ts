import {
  APIServiceExports,
  APIServiceNamespaces,
  apiVersion,
  controlPlane,
  crds,
  decodeBindingResponse,
  kubeconfigOf,
  parseBindingResponse,
} from '@klutch/api';
import { connect, isKubeError, parseKubeconfig, Secrets } from '@klutch/kube';
import { expect, it, onTestFinished } from 'vitest';
import {
  ClusterRoleBindings,
  ClusterRoles,
  rbacGroup,
  Roles,
  RoleBindings,
} from '../../packages/backend/src/objects/rbac.ts';
import { installKinds } from '../konnector/clusters.ts';
import { mayDo } from '../konnector/konnector-rights.ts';
import { onOwnPlane, provide, type SampleApi, sampleApi, unique } from './exports-world.ts';
import {
  asBackend,
  askOperations,
  type Launched,
  launch,
  patiently,
  untilLeading,
  untilReady,
  webFor,
} from './process-world.ts';
import { createBrowser, send } from './scripted-browser.ts';
import { type ScriptedIssuer, startScriptedIssuer } from './scripted-issuer.ts';
import { authorizePath, baseUrl, submit } from './web-world.ts';

const client = { clientId: 'klutch', clientSecret: 'client-secret' };
const claim = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } } as const;

async function startIssuer(isDown = false): Promise<ScriptedIssuer> {
  const issuer = await startScriptedIssuer(client, isDown);
  onTestFinished(() => issuer.close());
  return issuer;
}

const portOf = ({ backend }: Launched) => Number(new URL(backend.url()).port);
const ask = (launched: Launched, path: string) => send(new URL(path, baseUrl), {}, portOf(launched));

/** Binds as a pipeline does. */
async function bindAsMachine(
  launched: Launched,
  issuer: ScriptedIssuer,
  apis: readonly SampleApi[],
  clusterID: string,
) {
  const now = Math.floor(Date.now() / 1000);
  const token = issuer.sign({
    sub: 'p',
    client_id: 'pipeline',
    aud: 'klutch',
    scope: 'klutch/bind',
    iat: now,
    exp: now + 300,
  });
  const body = { clusterID, apis: apis.map(({ type: { group, plural } }) => ({ group, resource: plural })) };
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const options = { method: 'POST', headers, body: JSON.stringify(body) };
  return await send(new URL('/bind-noninteractive', baseUrl), options, portOf(launched));
}

/** A client with the credential that a bind has yielded. */
function asTenant(kubeconfig: string) {
  const config = parseKubeconfig(kubeconfig, { source: 'the answer', trust: 'foreign' });
  const tenant = connect(config, { userAgent: 'klutch-test/1' });
  onTestFinished(() => tenant.close());
  return { tenant, namespace: config.namespace ?? '' };
}

onOwnPlane('a backend', (plane) => {
  const start = async (apis: readonly SampleApi[], issuer: ScriptedIssuer) => {
    for (const api of apis) await provide(plane(), api, { claims: [claim] });
    const offers = apis.map((api) => ({ api, claims: [claim] }));
    const launched = await launch(plane(), { offers, web: webFor(issuer, baseUrl) });
    await untilReady(launched);
    return launched;
  };

  it('S-14 serves a whole bind with exactly the rights it generates', async () => {
    const [issuer, api] = [await startIssuer(), sampleApi()];
    const launched = await start([api], issuer);

    const answer = await bindAsMachine(launched, issuer, [api], unique('app'));

    expect(answer.status).toBe(200);
    const { tenant, namespace } = asTenant(kubeconfigOf(parseBindingResponse(answer.text)));
    const [request] = parseBindingResponse(answer.text).requests;
    await tenant.transport.json({
      method: 'POST',
      path: `/apis/${apiVersion}/namespaces/${namespace}/apiserviceexportrequests`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      mode: 'call',
      about: { verb: 'create', resource: 'apiserviceexportrequests', object: 'the request' },
    });
    await patiently(() => tenant.resource(APIServiceExports).find({ namespace, name: api.name }));
    await tenant
      .resource(APIServiceNamespaces)
      .create({ apiVersion, kind: 'APIServiceNamespace', metadata: { name: 'prod', namespace } });
    const service = await patiently(
      async () => (await tenant.resource(APIServiceNamespaces).get({ namespace, name: 'prod' })).status?.namespace,
    );
    const { type } = api;
    const widget = {
      apiVersion: `${type.group}/${type.version}`,
      kind: type.kind,
      metadata: { name: 'w', namespace: service },
      spec: {},
    };
    await patiently(() => tenant.resource(type).create(widget));
    await patiently(() => tenant.resource(Secrets).list({ namespace: service }));
    expect(
      (await plane().admin.resource(Roles).get({ namespace: service, name: controlPlane.binder })).rules,
    ).toHaveLength(2);
  });

  it('S-14 may do nothing beyond that', async () => {
    const [issuer, api] = [await startIssuer(), sampleApi()];
    const launched = await start([api], issuer);
    const backend = asBackend(launched);

    const forbidden = [
      ['*', '*', '*'],
      ['escalate', rbacGroup, 'clusterroles'],
      ['bind', rbacGroup, 'clusterroles'],
      ['escalate', rbacGroup, 'roles'],
      ['impersonate', '', 'users'],
      ['impersonate', '', 'serviceaccounts'],
      ['create', rbacGroup, 'clusterrolebindings'],
      ['patch', rbacGroup, 'clusterrolebindings'],
      ['create', rbacGroup, 'roles'],
      ['create', '', 'pods'],
      ['create', '', 'pods/exec'],
      ['get', '', 'nodes'],
      ['create', 'apps', 'deployments'],
      ['create', 'apiextensions.k8s.io', 'customresourcedefinitions'],
      ['patch', 'apiextensions.k8s.io', 'customresourcedefinitions'],
      ['create', 'certificates.k8s.io', 'certificatesigningrequests'],
      ['create', 'admissionregistration.k8s.io', 'validatingwebhookconfigurations'],
      ['create', 'coordination.k8s.io', 'leases'],
      ['get', '', 'configmaps'],
      ['create', 'example-backend.klutch.anynines.com', 'apiserviceexporttemplates'],
    ] as const;
    const allowed: string[] = [];
    for (const [verb, group, resource] of forbidden) {
      if (await mayDo(backend, { verb, group, resource })) allowed.push(`${verb} ${resource}.${group}`);
    }
    expect(allowed).toEqual([]);
    // The review answers at all.
    expect(await mayDo(backend, { verb: 'create', group: '', resource: 'namespaces' })).toBe(true);
  });

  it('S-14 cannot hand out what it does not have, nor bind what is there', async () => {
    const [issuer, api] = [await startIssuer(), sampleApi()];
    const backend = asBackend(await start([api], issuer));
    const metadata = { name: unique('evil') };
    const rules = [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }];
    const failure = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: unknown) => (isKubeError(error) ? error.code : String(error)),
      );

    expect(
      await failure(
        backend.resource(ClusterRoles).create({ apiVersion: `${rbacGroup}/v1`, kind: 'ClusterRole', metadata, rules }),
      ),
    ).toBe('KUBE_FORBIDDEN');
    const grant = (kind: string, name: string) => ({
      apiVersion: `${rbacGroup}/v1`,
      kind,
      metadata: { ...metadata, ...(kind === 'RoleBinding' ? { namespace: 'default' } : {}) },
      subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
      roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name },
    });
    expect(
      await failure(backend.resource(ClusterRoleBindings).create(grant('ClusterRoleBinding', 'cluster-admin'))),
    ).toBe('KUBE_FORBIDDEN');
    expect(await failure(backend.resource(RoleBindings).create(grant('RoleBinding', 'cluster-admin')))).toBe(
      'KUBE_FORBIDDEN',
    );
  });

  it('BE-62 runs controllers in one of two replicas, and in the other one when that is gone', async () => {
    const [issuer, api] = [await startIssuer(), sampleApi()];
    const first = await start([api], issuer);
    await untilLeading(first);
    const second = await launch(plane(), { of: first });
    await untilReady(second);

    expect([first.backend.isLeader(), second.backend.isLeader()]).toEqual([true, false]);
    expect(second.lines.some((line) => line.includes('controller ready'))).toBe(false);
    const answer = await bindAsMachine(second, issuer, [api], unique('app'));
    expect(answer.status).toBe(200);

    await first.stop();
    await untilLeading(second);
    expect(first.backend.isLeader()).toBe(false);
  });

  it('BE-62 finishes on one replica a login that was begun on another', async () => {
    const [issuer, api] = [await startIssuer(), sampleApi()];
    const first = await start([api], issuer);
    const second = await launch(plane(), { of: first });
    await untilReady(second);
    let current = first;
    const browser = createBrowser(baseUrl, () => portOf(current));

    const begun = await browser.get(authorizePath({ c: unique('app') }));
    current = second;
    const page = await browser.follow(begun);
    current = first;
    const answer = await submit(browser, page, [api.name]);

    expect(answer.status).toBe(303);
    const response = decodeBindingResponse(answer.location?.searchParams.get('response') ?? '');
    expect(asTenant(kubeconfigOf(response)).namespace).toMatch(/^cluster-/);
    current = second;
    const replayed = await submit(browser, page, [api.name]);
    expect(replayed.status).toBeGreaterThanOrEqual(400);
  });

  it('says at /readyz that its issuer is missing, and works once it is there', async () => {
    const issuer = await startIssuer(true);
    const launched = await launch(plane(), { web: webFor(issuer, baseUrl) });
    await untilLeading(launched);

    expect((await ask(launched, '/healthz')).status).toBe(200);
    const before = await askOperations(launched, '/readyz');
    expect(before).toMatchObject({ status: 500, text: expect.stringContaining('issuer') });
    await issuer.resume();
    await untilReady(launched);
  });

  it('answers probes also without a web server', async () => {
    const launched = await launch(plane());

    await untilReady(launched);
    expect((await askOperations(launched, '/metrics')).text).toContain('klutch');
    expect(() => launched.backend.url()).toThrow();
  });

  it('ends in good order, and gives up its lease', async () => {
    const launched = await launch(plane());
    await untilLeading(launched);

    await launched.stop();

    expect(launched.lines.at(-1)).toContain('backend stopped');
    expect(launched.lines.some((line) => line.includes('lease released'))).toBe(true);
    await expect(askOperations(launched, '/healthz')).rejects.toThrow();
  });
});

onOwnPlane(
  'a backend on an empty control plane',
  (plane) => {
    it('waits for its kinds, says which, and then works', async () => {
      const issuer = await startIssuer();
      const api = sampleApi();
      const offers = [{ api, claims: [claim] }];
      const launched = await launch(plane(), { offers, controlPlaneMode: true, web: webFor(issuer, baseUrl) });
      await patiently(() => launched.backend.isLeader());
      const missing = await patiently(async () => {
        const { status, text } = await askOperations(launched, '/readyz');
        return status === 500 && text.includes('the control plane lacks') && text;
      });
      expect(missing).toContain('appclusterbindings.klutch.anynines.com');
      expect((await askOperations(launched, '/livez')).status).toBe(200);
      expect(launched.lines.filter((line) => line.includes('waits for kinds'))).toHaveLength(1);

      await installKinds(plane(), crds);
      await provide(plane(), api, { claims: [claim] });

      await untilReady(launched);
      await untilLeading(launched);
      const answer = await patiently(async () => {
        const bound = await bindAsMachine(launched, issuer, [api], unique('app'));
        return bound.status === 200 && bound;
      });
      expect(parseBindingResponse(answer.text).requests).toHaveLength(1);
    });
  },
  [],
);
