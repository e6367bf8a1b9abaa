import { readFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { onOwnPlane, provide, sampleApi, unique } from '../backend/exports-world.ts';
import { launch, patiently, webFor } from '../backend/process-world.ts';
import { startScriptedIssuer } from '../backend/scripted-issuer.ts';
import { baseUrl } from '../backend/web-world.ts';
import { bindAsMachine, settle } from '../bind/machine.ts';
import { allCalls } from './calls.ts';
import { allowedCalls } from './try-calls.ts';

const claim = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } } as const;
const listFile = new URL('allowed.txt', import.meta.url);

onOwnPlane('a hostile tenant with a valid token', (plane) => {
  it('BE-35 S-1 S-15 reaches exactly what the list says, whatever verb it tries on whatever resource', async () => {
    const api = sampleApi();
    const issuer = await startScriptedIssuer({ clientId: 'klutch', clientSecret: 'client-secret' });
    onTestFinished(() => issuer.close());
    await provide(plane(), api, { claims: [claim] });
    const web = webFor(issuer, baseUrl);
    const clients = new Map([
      ['pipeline', 'acme'],
      ['rival', 'rivals'],
    ]);
    const policy = { ...web.policy, machines: { ...web.policy.machines, clients } };
    const launched = await launch(plane(), { offers: [{ api, claims: [claim] }], web: { ...web, policy } });
    const port = Number(new URL(launched.backend.url()).port);
    const bound = async (client: string) => {
      const answer = await patiently(async () => {
        const given = await bindAsMachine({ port, issuer, apis: [api], clusterId: unique('app'), client });
        return given.status === 200 && given;
      });
      return settle(answer, [api]);
    };
    const hostile = await bound('pipeline');
    const victim = await bound('rival');
    // Rights in a new namespace reach the authoriser a moment later.
    await patiently(() => hostile.client.resource(api.type).list({ namespace: hostile.serviceNamespace }));

    const calls = await allCalls(plane().admin, [
      { name: 'cluster' },
      { name: 'own-cluster-namespace', namespace: hostile.clusterNamespace },
      { name: 'own-service-namespace', namespace: hostile.serviceNamespace },
      { name: 'cluster-namespace-of-another', namespace: victim.clusterNamespace },
      { name: 'service-namespace-of-another', namespace: victim.serviceNamespace },
      { name: 'namespace-of-the-backend', namespace: launched.namespace },
      { name: 'kube-system', namespace: 'kube-system' },
      { name: 'default', namespace: 'default' },
    ]);
    const allowed = await allowedCalls(hostile.client, calls);

    const listed = (await readFile(listFile, 'utf8'))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const plain = (title: string) =>
      title.replace(api.name.slice(api.name.indexOf('.') + 1), 'example.org').replace(api.type.plural, 'widgets');
    expect(calls.length).toBeGreaterThan(1_000);
    expect(allowed.map(plain).sort()).toEqual([...listed].sort());
  }, 300_000);
});
