import { eventually } from '@klutch/kit';
import { afterAll, expect } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { install } from '../definition.ts';
import { type Kubectl, kubectlMissing, kubectlOn, steady } from '../kubectl.ts';
import { masked, storedMeta } from '../mask.ts';
import { configMap, secret } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { expectRefusal, forbidden, invalid } from '../refusal.ts';
import { conformance } from '../suite.ts';
import type { Server } from '../server.ts';

type Amounts = Readonly<Record<string, string>>;
interface QuotaStatus {
  readonly hard?: Amounts;
  readonly used?: Amounts;
}

const quota = (name: string, hard: Amounts, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name },
  spec: { hard, ...more },
});

/** A namespace with a quota whose use is known. */
async function limited({ admin, createNamespace }: Server, namespace: string, hard: Amounts): Promise<void> {
  await createNamespace(namespace);
  // The controllers put objects of their own into a namespace; they count, too.
  for (const own of ['v1/serviceaccounts', 'v1/configmaps'] as const) {
    const list = inNamespace(own, namespace);
    await eventually(async () => itemsOf(await admin.get(list())).length > 0, { what: `${list()} has an object` });
  }
  await admin.create(inNamespace('v1/resourcequotas', namespace)(), quota('limits', hard));
  await used(admin, namespace, (now) => Object.keys(hard).every((name) => now[name] !== undefined));
}

function used(admin: Client, namespace: string, isEnough: (used: Amounts) => boolean): Promise<Amounts> {
  const path = inNamespace('v1/resourcequotas', namespace)('limits');
  return eventually(
    async () => {
      const { used: now = {} } = ((await admin.get(path)).body.status ?? {}) as QuotaStatus;
      return isEnough(now) && now;
    },
    { what: `the use of ${path}` },
  );
}

function itemsOf({ body }: Answer): readonly unknown[] {
  return body.items ?? [];
}

const exceeded = (name: string, amounts: { requested: string; used: string; limited: string }) =>
  `exceeded quota: ${name}, requested: ${amounts.requested}, used: ${amounts.used}, limited: ${amounts.limited}`;

conformance('quotas', ({ check }) => {
  check('a quota says what it limits and what is used', async (server) => {
    const namespace = 'conf-quotas-status';
    await limited(server, namespace, { 'count/secrets': '2', secrets: '1k', 'count/serviceaccounts': '5', pods: '3' });
    const { body } = await server.admin.get(inNamespace('v1/resourcequotas', namespace)('limits'));

    expect(masked(body)).toEqual({
      kind: 'ResourceQuota',
      apiVersion: 'v1',
      metadata: storedMeta('limits', namespace),
      spec: { hard: { 'count/secrets': '2', 'count/serviceaccounts': '5', pods: '3', secrets: '1k' } },
      status: {
        hard: { 'count/secrets': '2', 'count/serviceaccounts': '5', pods: '3', secrets: '1k' },
        used: { 'count/secrets': '0', 'count/serviceaccounts': '1', pods: '0', secrets: '0' },
      },
    });
  });

  check('an object beyond the limit is refused until another goes', async (server) => {
    const { admin } = server;
    const namespace = 'conf-quotas-limit';
    const secrets = inNamespace('v1/secrets', namespace);
    await limited(server, namespace, { 'count/secrets': '2', secrets: '2', configmaps: '10' });
    await admin.create(secrets(), secret('a'));
    await admin.create(secrets(), secret('b'));
    const refusal = forbidden(
      'secrets',
      'c',
      exceeded('limits', {
        requested: 'count/secrets=1,secrets=1',
        used: 'count/secrets=2,secrets=2',
        limited: 'count/secrets=2,secrets=2',
      }),
    );

    expectRefusal(await admin.post(secrets(), secret('c')), refusal);
    expectRefusal(await admin.post(`${secrets()}?dryRun=All`, secret('c')), refusal);
    expectRefusal(await admin.apply(secrets('c'), 'me', secret('c')), refusal);
    expect((await admin.patch('merge', secrets('a'), { data: { k: 'dg==' } })).status).toBe(200);
    expect((await admin.apply(secrets('a'), 'me', secret('a', { l: 'v' }))).status).toBe(200);
    expect((await used(admin, namespace, (now) => now.secrets === '2'))['count/secrets']).toBe('2');

    await admin.delete(secrets('a'));
    await used(admin, namespace, (now) => now.secrets === '1');
    expect((await admin.apply(secrets('c'), 'me', secret('c'))).status).toBe(201);
    await used(admin, namespace, (now) => now.secrets === '2');
  });

  check('an object that is there already, and one that is invalid, meet the quota in this order', async (server) => {
    const { admin } = server;
    const namespace = 'conf-quotas-order';
    const secrets = inNamespace('v1/secrets', namespace);
    await limited(server, namespace, { 'count/secrets': '1' });
    await admin.create(secrets(), secret('a'));
    const place = { requested: 'count/secrets=1', used: 'count/secrets=1', limited: 'count/secrets=1' };

    expectRefusal(await admin.post(secrets(), secret('a')), forbidden('secrets', 'a', exceeded('limits', place)));
    expect((await admin.post(secrets(), secret('No'))).status).toBe(422);
    const { status, body } = await admin.post(secrets(), { metadata: { generateName: 'some-' } });
    expect([status, body.message]).toEqual([
      403,
      expect.stringMatching(/^secrets "some-\w{5}" is forbidden: exceeded/),
    ]);
  });

  check('a limit of nothing allows nothing, and more quotas than one hold', async (server) => {
    const { admin } = server;
    const namespace = 'conf-quotas-several';
    await limited(server, namespace, {
      'count/roles.rbac.authorization.k8s.io': '0',
      'count/leases.coordination.k8s.io': '5',
    });
    const roles = inNamespace('rbac.authorization.k8s.io/v1/roles', namespace);
    const leases = inNamespace('coordination.k8s.io/v1/leases', namespace);
    const qualified = 'count/roles.rbac.authorization.k8s.io';

    expectRefusal(
      await admin.post(roles(), { metadata: { name: 'r' }, rules: [] }),
      forbidden(
        'roles.rbac.authorization.k8s.io',
        'r',
        exceeded('limits', { requested: `${qualified}=1`, used: `${qualified}=0`, limited: `${qualified}=0` }),
      ),
    );
    await admin.create(leases(), { metadata: { name: 'free' }, spec: {} });
    const more = inNamespace('v1/resourcequotas', namespace);
    await admin.create(more(), quota('stricter', { 'count/leases.coordination.k8s.io': '1' }));
    await eventually(
      async () => (await admin.post(leases(), { metadata: { generateName: 'l-' }, spec: {} })).status === 403,
      {
        what: 'the second quota holds',
      },
    );
  });

  check('events and what no namespace holds are not counted', async (server) => {
    const { admin } = server;
    const namespace = 'conf-quotas-uncounted';
    await server.createNamespace(namespace);
    const names = ['count/events', 'count/events.events.k8s.io', 'count/namespaces', 'count/unicorns.no.example'];
    const hard = Object.fromEntries([...names, 'count/secrets'].map((name) => [name, '0']));
    await admin.create(inNamespace('v1/resourcequotas', namespace)(), quota('limits', hard));

    expect(await used(admin, namespace, (now) => now['count/secrets'] === '0')).toEqual({ 'count/secrets': '0' });
    const event = { metadata: { name: 'e' }, involvedObject: { kind: 'ConfigMap', name: 'x', namespace } };
    expect((await admin.post(inNamespace('v1/events', namespace)(), event)).status).toBe(201);
  });

  check('quotas count quotas', async (server) => {
    const { admin } = server;
    const namespace = 'conf-quotas-quotas';
    await limited(server, namespace, { resourcequotas: '1', 'count/resourcequotas': '3' });
    const place = { requested: 'resourcequotas=1', used: 'resourcequotas=1', limited: 'resourcequotas=1' };

    expectRefusal(
      await admin.post(inNamespace('v1/resourcequotas', namespace)(), quota('two', { secrets: '1' })),
      forbidden('resourcequotas', 'two', exceeded('limits', place)),
    );
  });

  check('a raised or lowered limit holds soon, and none once the quota is gone', async (server) => {
    const { admin } = server;
    const namespace = 'conf-quotas-change';
    const secrets = inNamespace('v1/secrets', namespace);
    const quotas = inNamespace('v1/resourcequotas', namespace);
    const status = async () => (await admin.post(`${secrets()}?dryRun=All`, secret('probe'))).status;
    await limited(server, namespace, { 'count/secrets': '1' });
    await admin.create(secrets(), secret('a'));

    await admin.patch('merge', quotas('limits'), { spec: { hard: { 'count/secrets': '2' } } });
    await eventually(async () => (await status()) === 201, { what: 'the raised limit holds' });
    await admin.patch('merge', quotas('limits'), { spec: { hard: { 'count/secrets': '0' } } });
    await eventually(async () => (await status()) === 403, { what: 'the lowered limit holds' });
    const deleted = await admin.delete(quotas('limits'));
    expect([deleted.status, deleted.body.kind]).toEqual([200, 'ResourceQuota']);
    await eventually(async () => (await status()) === 201, { what: 'no limit holds' });
  });

  check(
    'custom resources are counted',
    async (server) => {
      const { admin } = server;
      const group = 'quotas.conf.example';
      const namespace = 'conf-quotas-custom';
      const things = inNamespace(`${group}/v1/things`, namespace);
      const thing = (name: string) => ({ apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name } });
      await server.createNamespace(namespace);
      await install(admin, { group, kind: 'Thing' });
      const quotas = inNamespace('v1/resourcequotas', namespace);
      const name = `count/things.${group}`;
      // The controller of Kubernetes learns of new types by and by, and looks at a quota when its limits change.
      let turn = 0;
      await admin.create(quotas(), quota('limits', { [name]: '1000' }));
      await eventually(
        async () => {
          turn += 1;
          const { body } = await admin.patch('merge', quotas('limits'), {
            spec: { hard: { [name]: `${1000 + turn}` } },
          });
          return ((body.status as QuotaStatus).used ?? {})[name] === '0';
        },
        { what: 'things are counted', withinMs: 90_000, everyMs: 500 },
      );
      await admin.patch('merge', quotas('limits'), { spec: { hard: { [name]: '1' } } });
      await eventually(
        async () => ((await admin.get(quotas('limits'))).body.status as QuotaStatus).hard?.[name] === '1',
        {
          what: 'the limit holds',
        },
      );
      expect((await admin.apply(things('a'), 'me', thing('a'))).status).toBe(201);
      const refusal = forbidden(
        `things.${group}`,
        'b',
        exceeded('limits', { requested: `${name}=1`, used: `${name}=1`, limited: `${name}=1` }),
      );

      expectRefusal(await admin.apply(things('b'), 'me', thing('b')), refusal);
      expectRefusal(await admin.post(things(), thing('b')), refusal);
    },
    { concurrent: true },
  );

  check('limits are refused in the words of Kubernetes', async (server) => {
    const { admin } = server;
    const namespace = 'conf-quotas-invalid';
    await server.createNamespace(namespace);
    const quotas = inNamespace('v1/resourcequotas', namespace);
    const rows: readonly (readonly [name: string, amount: string, problems: readonly string[]])[] = [
      ['count/secrets', '-1', ['Invalid value: "-1": must be greater than or equal to 0']],
      ['count/secrets', '1.5', ['Invalid value: "1500m": must be an integer']],
      ['secrets', '500m', ['Invalid value: "500m": must be an integer']],
      [
        'foo',
        '1',
        [
          'Invalid value: "foo": must be a standard resource type or fully qualified',
          'Invalid value: "foo": must be a standard resource for quota',
        ],
      ],
      ['storage', '1', ['Invalid value: "storage": must be a standard resource for quota']],
    ];

    for (const [name, amount, problems] of rows) {
      expectRefusal(
        await admin.post(quotas(), quota('bad', { [name]: amount })),
        invalid(
          { kind: 'ResourceQuota' },
          'bad',
          problems.map((problem) => [`spec.hard[${name}]`, 'FieldValueInvalid', problem]),
        ),
      );
    }
    await admin.create(quotas(), quota('good', { cpu: '1.5', 'requests.ex.io/gpu': '2', 'hugepages-2Mi': '1Gi' }));
    const { status } = await admin.patch('merge', `${quotas('good')}/status`, { status: { used: { foo: '1' } } });
    expect(status).toBe(422);
  });
});

conformance(
  'kubectl, quotas',
  ({ check, prepare }) => {
    const namespace = 'conf-kubectl-quotas';
    let kubectl: Kubectl;
    prepare(async (server) => {
      await server.createNamespace(namespace);
      kubectl = await kubectlOn(server, namespace);
    });
    afterAll(() => kubectl?.close());

    check('create, get and describe show limits and use', async ({ admin }) => {
      expect(await kubectl.out('create quota limits --hard=count/secrets=2,services=1,limits.cpu=4')).toBe(
        'resourcequota/limits created\n',
      );
      await used(admin, namespace, (now) => now['count/secrets'] === '0');
      await admin.create(inNamespace('v1/secrets', namespace)(), secret('a'));
      await used(admin, namespace, (now) => now['count/secrets'] === '1');

      expect(steady(await kubectl.out('get quota'))).toBe(
        'NAME REQUEST LIMIT AGE\nlimits count/secrets: 1/2, services: 0/1 limits.cpu: 0/4 <age>\n',
      );
      expect(steady(await kubectl.out('describe quota limits'))).toBe(
        [
          'Name: limits',
          'Namespace: conf-kubectl-quotas',
          'Resource Used Hard',
          '-------- ---- ----',
          'count/secrets 1 2',
          'limits.cpu 0 4',
          'services 0 1',
          '',
        ].join('\n'),
      );
    });

    check('a refused object is told as an error', async () => {
      await kubectl.out('create -f -', secret('b'));
      expect(await kubectl.run('create -f -', { stdin: secret('c') })).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'Error from server (Forbidden): error when creating "STDIN": secrets "c" is forbidden: exceeded quota: limits, requested: count/secrets=1, used: count/secrets=2, limited: count/secrets=2\n',
      });
      expect(await kubectl.out('create -f -', configMap('free'))).toBe('configmap/free created\n');
    });
  },
  { missing: kubectlMissing },
);
