import {
  annotations,
  APIServiceExportRequests,
  apiVersion,
  controlPlane as names,
  kubeconfigOf,
  parseBindingResponse,
} from '@klutch/api';
import { Events, Namespaces } from '@klutch/kube';
import { expect, it, onTestFinished } from 'vitest';
import { onOwnPlane, provide, type SampleApi, sampleApi, unique } from './exports-world.ts';
import { type Launched, launch, patiently, untilLeading, webFor } from './process-world.ts';
import { send } from './scripted-browser.ts';
import { type ScriptedIssuer, startScriptedIssuer } from './scripted-issuer.ts';
import { tokenOf } from './tenants-world.ts';
import { baseUrl } from './web-world.ts';

const client = { clientId: 'klutch', clientSecret: 'client-secret' };

onOwnPlane('the audit record', (plane) => {
  const post = async (launched: Launched, path: string, token: string, body: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const port = Number(new URL(launched.backend.url()).port);
    return await send(new URL(path, baseUrl), { method: 'POST', headers, body: JSON.stringify(body) }, port);
  };

  async function bind(launched: Launched, issuer: ScriptedIssuer, { type: { group, plural } }: SampleApi) {
    const now = Math.floor(Date.now() / 1000);
    const token = issuer.sign({
      sub: 'p',
      client_id: 'pipeline',
      aud: 'klutch',
      scope: 'klutch/bind',
      iat: now,
      exp: now + 300,
    });
    const apis = [{ group, resource: plural }];
    const answer = await post(launched, '/bind-noninteractive', token, { clusterID: unique('app'), apis });
    expect(answer.status).toBe(200);
    return kubeconfigOf(parseBindingResponse(answer.text));
  }

  /** The Events of the ClusterBinding, each with its text. */
  async function eventsIn(namespace: string) {
    const { items } = await plane().admin.resource(Events).list({ namespace });
    return items
      .filter(({ involvedObject: { kind, name, uid } }) => kind === 'ClusterBinding' && name === 'cluster' && uid)
      .map(({ reason = '', message = '' }) => ({ reason, message }));
  }

  it('is a log line and an Event on the ClusterBinding for each bind, grant, rotation, withdrawal, unbind, revocation and restoration', async () => {
    const issuer = await startScriptedIssuer(client);
    onTestFinished(() => issuer.close());
    const api = sampleApi();
    await provide(plane(), api);
    const launched = await launch(plane(), { offers: [{ api }], web: webFor(issuer, baseUrl) });
    await untilLeading(launched);

    const kubeconfig = await patiently(async () => bind(launched, issuer, api).catch(() => undefined));
    const namespace = /namespace: (\S+)/.exec(kubeconfig)?.[1] ?? '';
    const { group, plural } = api.type;
    await plane()
      .admin.resource(APIServiceExportRequests)
      .create({
        apiVersion,
        kind: 'APIServiceExportRequest',
        metadata: { name: api.name, namespace },
        spec: { resources: [{ group, resource: plural }] },
      });
    await patiently(async () => (await eventsIn(namespace)).some(({ reason }) => reason === 'Grant'));
    expect((await post(launched, '/rotate', tokenOf(kubeconfig), {})).status).toBe(200);
    const unbound = await post(launched, '/unbind', tokenOf(kubeconfig), { apis: [{ group, resource: plural }] });
    expect(unbound.status).toBe(204);
    const setAccess = (value: string | null) =>
      plane()
        .admin.resource(Namespaces)
        .patch(
          { name: namespace },
          { type: 'merge', patch: { metadata: { annotations: { [annotations.access]: value } } } },
        );
    await setAccess('Revoked');
    await patiently(async () => (await eventsIn(namespace)).some(({ reason }) => reason === 'Revoke'));
    await setAccess(null);
    const who = `${issuer.url}/p`;
    const account = `system:serviceaccount:${namespace}:${names.binder}`;
    const rights = `${api.name}: .+ by klutch-backend for tenant acme\\.$`;
    const expected = [
      { reason: 'Grant', message: expect.stringMatching(`^Grant of ${rights}`) },
      { reason: 'Withdraw', message: expect.stringMatching(`^Withdraw of ${rights}`) },
      { reason: 'Bind', message: `Bind of ${api.name} by ${who} for tenant acme.` },
      { reason: 'Rotate', message: `Rotate by ${account} for tenant acme.` },
      { reason: 'Unbind', message: `Unbind of ${api.name} by ${account} for tenant acme.` },
      { reason: 'Revoke', message: 'Revoke by operator for tenant acme.' },
      { reason: 'Restore', message: 'Restore by operator for tenant acme.' },
    ];
    await patiently(async () => {
      const events = await eventsIn(namespace);
      return expected.every(({ reason }) => events.some((event) => event.reason === reason));
    });

    expect(await eventsIn(namespace)).toEqual(expect.arrayContaining(expected));
    const lines = launched.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const audited = lines.filter(({ message }) => message === 'audit');
    expect(audited).toEqual(
      expect.arrayContaining([
        { level: 'info', message: 'audit', action: 'Login', who, result: 'success' },
        expect.objectContaining({ action: 'Bind', who, tenant: 'acme', cluster: namespace, what: [api.name] }),
        expect.objectContaining({ action: 'Rotate', who: account, tenant: 'acme', cluster: namespace }),
        expect.objectContaining({ action: 'Revoke', who: 'operator', cluster: namespace, result: 'success' }),
        expect.objectContaining({ action: 'Restore', who: 'operator', cluster: namespace, result: 'success' }),
      ]),
    );
    expect(JSON.stringify(audited)).not.toContain(tokenOf(kubeconfig));
    expect(JSON.stringify(await eventsIn(namespace))).not.toContain(tokenOf(kubeconfig));
  });
});
