import { expect } from 'vitest';
import type { Client } from '../client.ts';
import { install, objectOf } from '../definition.ts';
import { inCluster, inNamespace } from '../paths.ts';
import { conformance } from '../suite.ts';
import { enforce, inside, labelled, on, type Rules, valid } from './policies.ts';

const namespace = 'conf-policy-matching';
const other = 'conf-policy-matching-other';
const group = 'policy-matching.conf.example';

const denies = valid('false', { message: 'matched' });
const matching = (constraints: object) => ({
  policy: { ...denies, matchConstraints: { ...inside(namespace), ...constraints } },
});
/** Rules for objects that carry the name of the policy as a label. */
const marked = (name: string, constraints: object) => ({
  policy: { ...denies, matchConstraints: labelled(namespace, name, constraints) },
});

/** How an object is created, by what it is. */
const make = {
  'config map': (name: string, policy: string) =>
    ['v1/configmaps', { metadata: { name, labels: { policy } } }] as const,
  secret: (name: string, policy: string) => ['v1/secrets', { metadata: { name, labels: { policy } } }] as const,
  role: (name: string, policy: string) =>
    ['rbac.authorization.k8s.io/v1/roles', { metadata: { name, labels: { policy } } }] as const,
} as const;

interface Row {
  readonly constraints: object;
  /** What is created, and under which name; the name of the policy unless told otherwise. */
  readonly sent: readonly (readonly [kind: keyof typeof make, isDenied: boolean, name?: string])[];
}

const rows: Readonly<Record<string, Row>> = {
  'one resource': {
    constraints: { resourceRules: [on(['secrets'])] },
    sent: [
      ['secret', true],
      ['config map', false],
    ],
  },
  'all resources of a group': {
    constraints: { resourceRules: [on(['*'])] },
    sent: [
      ['secret', true],
      ['role', false],
    ],
  },
  'all groups': {
    constraints: { resourceRules: [on(['*'], { apiGroups: ['*'], apiVersions: ['*'] })] },
    sent: [
      ['secret', true],
      ['role', true],
    ],
  },
  'a version that is not served': {
    constraints: { resourceRules: [on(['configmaps'], { apiVersions: ['v2'] })] },
    sent: [['config map', false]],
  },
  'other operations': {
    constraints: { resourceRules: [on(['configmaps'], { operations: ['UPDATE', 'DELETE'] })] },
    sent: [['config map', false]],
  },
  'one of several operations': {
    constraints: { resourceRules: [on(['configmaps'], { operations: ['CREATE', 'DELETE'] })] },
    sent: [['config map', true]],
  },
  'objects by their names': {
    constraints: { resourceRules: [on(['configmaps'], { resourceNames: ['conf-this', 'conf-that'] })] },
    sent: [
      ['config map', true, 'conf-that'],
      ['config map', false],
    ],
  },
  'one of several rules': {
    constraints: { resourceRules: [on(['secrets']), on(['configmaps'])] },
    sent: [['config map', true]],
  },
  'what is not excluded': {
    constraints: {
      resourceRules: [on(['*'])],
      excludeResourceRules: [on(['secrets']), on(['configmaps'], { resourceNames: ['conf-excluded'] })],
    },
    sent: [
      ['secret', false],
      ['config map', false, 'conf-excluded'],
      ['config map', true],
    ],
  },
  'objects of namespaces': {
    constraints: { resourceRules: [on(['configmaps'], { scope: 'Namespaced' })] },
    sent: [['config map', true]],
  },
  'objects of the cluster': {
    constraints: { resourceRules: [on(['*'], { scope: 'Cluster' })] },
    sent: [['config map', false]],
  },
  'a resource and its subresources': {
    constraints: { resourceRules: [on(['configmaps/*'])] },
    sent: [
      ['config map', true],
      ['secret', false],
    ],
  },
  'all resources and their subresources': {
    constraints: { resourceRules: [on(['*/*'])] },
    sent: [['config map', true]],
  },
  'one subresource of all': {
    constraints: { resourceRules: [on(['*/status'])] },
    sent: [['config map', false]],
  },
};

const titles = Object.keys(rows);
const named = (title: string) => `conf-match-${titles.indexOf(title)}`;

const rules: Rules = {
  ...Object.fromEntries(titles.map((title) => [named(title), marked(named(title), rows[title]?.constraints ?? {})])),
  'conf-match-label': matching({
    resourceRules: [on(['configmaps'])],
    objectSelector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['gold', 'silver'] }] },
  }),
  'conf-match-binding': {
    policy: {
      ...denies,
      matchConstraints: {
        resourceRules: [on(['configmaps', 'secrets'])],
        objectSelector: { matchLabels: { bound: 'yes' } },
      },
    },
    binding: {
      matchResources: { ...inside(namespace), resourceRules: [on(['secrets'])] },
    },
  },
  'conf-match-namespaces': {
    policy: {
      ...denies,
      matchConstraints: {
        resourceRules: [on(['namespaces'], { scope: 'Cluster', operations: ['CREATE', 'UPDATE'] })],
        namespaceSelector: { matchLabels: { 'conf-match': 'namespaces' } },
      },
    },
  },
  'conf-match-cluster': {
    policy: {
      ...denies,
      matchConstraints: {
        resourceRules: [
          on(['clusterroles'], { apiGroups: ['*'], scope: 'Cluster', resourceNames: ['conf-match-cluster'] }),
        ],
        namespaceSelector: { matchLabels: { no: 'namespace' } },
      },
    },
  },
  'conf-match-token': matching({ resourceRules: [on(['serviceaccounts/token'])] }),
  'conf-match-equivalent': {
    policy: {
      ...valid('false', {
        messageExpression:
          "object.apiVersion + ' ' + request.resource.version + ' ' + request.kind.version + ' ' + request.requestResource.version + ' ' + request.requestKind.version",
      }),
      matchConstraints: {
        ...inside(namespace),
        resourceRules: [on(['widgets'], { apiGroups: [group] })],
        objectSelector: { matchLabels: { policy: 'equivalent' } },
      },
    },
  },
  'conf-match-exact': {
    policy: {
      ...denies,
      matchConstraints: {
        ...inside(namespace),
        resourceRules: [on(['widgets'], { apiGroups: [group] })],
        matchPolicy: 'Exact',
        objectSelector: { matchLabels: { policy: 'exact' } },
      },
    },
  },
  'conf-match-events': {
    policy: {
      ...valid('false', { messageExpression: "object.apiVersion + ' ' + object.regarding.name" }),
      matchConstraints: {
        ...inside(namespace),
        resourceRules: [on(['events'], { apiGroups: ['events.k8s.io'] })],
        objectSelector: { matchLabels: { policy: 'events' } },
      },
    },
  },
};

conformance('requests that policies are about', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    await createNamespace(other);
    const version = (name: string, storage: boolean) => ({
      name,
      storage,
      served: true,
      schema: { openAPIV3Schema: objectOf({}) },
    });
    await install(admin, { group, kind: 'Widget', versions: [version('v1', true), version('v2', false)] });
    await admin.create(inNamespace('v1/serviceaccounts', namespace)(), { metadata: { name: 'mine' } });
    await enforce(admin, namespace, rules);
  });

  for (const [title, { sent }] of Object.entries(rows)) {
    check(title, async ({ admin }) => {
      const policy = named(title);
      const outcomes: boolean[] = [];
      for (const [kind, , name = policy] of sent) {
        const [resource, body] = make[kind](name, policy);
        outcomes.push(isDenied(await admin.post(inNamespace(resource, namespace)(), body)));
      }
      expect(outcomes).toEqual(sent.map(([, denied]) => denied));
    });
  }

  const configMap = (client: Client, at: string, name: string, labels: object) =>
    client.post(inNamespace('v1/configmaps', at)(), { metadata: { name, labels } });

  check('objects by labels they have or had', async ({ admin }) => {
    const at = inNamespace('v1/configmaps', namespace);
    expect(isDenied(await configMap(admin, namespace, 'gold', { tier: 'gold' }))).toBe(true);
    expect(isDenied(await configMap(admin, namespace, 'iron', { tier: 'iron' }))).toBe(false);
    expect(isDenied(await admin.patch('merge', at('iron'), { metadata: { labels: { tier: 'gold' } } }))).toBe(true);
    expect(isDenied(await admin.patch('merge', at('iron'), { data: { a: 'b' } }))).toBe(false);
  });

  check('objects in namespaces by labels', async ({ admin }) => {
    const labels = { policy: named('one of several operations') };
    expect(isDenied(await configMap(admin, namespace, 'here', labels))).toBe(true);
    expect(isDenied(await configMap(admin, other, 'there', labels))).toBe(false);
  });

  check('requests that the binding is about, too', async ({ admin }) => {
    const sent = { metadata: { name: 'bound', labels: { bound: 'yes' } } };
    expect(isDenied(await admin.post(inNamespace('v1/secrets', namespace)(), sent))).toBe(true);
    expect(isDenied(await admin.post(inNamespace('v1/configmaps', namespace)(), sent))).toBe(false);
    expect(isDenied(await admin.post(inNamespace('v1/secrets', other)(), sent))).toBe(false);
  });

  check('namespaces by the labels they get', async ({ admin }) => {
    const namespaces = inCluster('v1/namespaces');
    const labels = { 'conf-match': 'namespaces' };
    expect(isDenied(await admin.post(namespaces(), { metadata: { name: 'conf-match-ns', labels } }))).toBe(true);
    expect(isDenied(await admin.post(namespaces(), { metadata: { name: 'conf-match-ns' } }))).toBe(false);
    expect(isDenied(await admin.patch('merge', namespaces('conf-match-ns'), { metadata: { labels } }))).toBe(true);
  });

  check('objects of the cluster whatever the selector of namespaces says', async ({ admin }) => {
    const roles = inCluster('rbac.authorization.k8s.io/v1/clusterroles');
    expect(isDenied(await admin.post(roles(), { metadata: { name: 'conf-match-cluster' } }))).toBe(true);
    expect(isDenied(await admin.post(roles(), { metadata: { name: 'conf-match-cluster-not' } }))).toBe(false);
  });

  check('one subresource', async ({ admin }) => {
    const at = inNamespace('v1/serviceaccounts', namespace);
    expect(isDenied(await admin.post(`${at('mine')}/token`, { spec: {} }))).toBe(true);
    expect(isDenied(await admin.patch('merge', at('mine'), { metadata: { labels: { a: 'b' } } }))).toBe(false);
  });

  const widget = (client: Client, version: string, policy: string) =>
    client.post(inNamespace(`${group}/${version}/widgets`, namespace)(), {
      apiVersion: `${group}/${version}`,
      kind: 'Widget',
      metadata: { name: policy, labels: { policy } },
    });

  check('the same resource in another version', async ({ admin }) => {
    const first = await widget(admin, 'v1', 'equivalent');
    const second = await widget(admin, 'v2', 'equivalent');
    expect(first.body.message).toMatch(new RegExp(`: ${group}/v1 v1 v1 v1 v1$`));
    expect(second.body.message).toMatch(new RegExp(`: ${group}/v1 v1 v1 v2 v2$`));
  });

  check('exactly the version', async ({ admin }) => {
    expect(isDenied(await widget(admin, 'v1', 'exact'))).toBe(true);
    expect(isDenied(await widget(admin, 'v2', 'exact'))).toBe(false);
  });

  check('events of either group', async ({ admin }) => {
    const { body } = await admin.post(inNamespace('v1/events', namespace)(), {
      metadata: { name: 'event', labels: { policy: 'events' } },
      involvedObject: { namespace, name: 'somebody' },
    });
    expect(body.message).toMatch(/: events\.k8s\.io\/v1 somebody$/);
  });
});

function isDenied({ status, body }: { readonly status: number; readonly body: { readonly message: string } }): boolean {
  if (status < 300) return false;
  if (status === 422 && body.message.includes('denied request: matched')) return true;
  throw new Error(`neither taken nor denied by a policy: ${status} ${body.message}`);
}
