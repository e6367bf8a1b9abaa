import {
  annotations,
  type APIServiceBinding,
  type APIServiceExport,
  type APIServiceExportRequest,
  apiVersion,
  derivedExportRequestName,
  kubeconfigKey,
  labels,
  type ConditionState,
} from '@klutch/api';
import { keyOf, type KubeObject, type Namespace, type ObjectRef, type ResourceType } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../objects/deployment.ts';
import { secretClaim, someBinding, someOffer, someSecret } from './binding.fixture.ts';
import { bindingLabels } from './binding-labels.ts';
import { decide, type Seen } from './decide.ts';
import type { Write } from './decision.ts';
import { rootMetadata } from './root-objects.ts';

const root = 'klutch-bind-team-shop-0123456789';
const images = { standard: 'registry.example.org/konnector:v1', allowed: [] };
const mark = { [labels.backend]: 'bind' };
const ours = bindingLabels({ namespace: 'team', name: 'shop' });

function see(change: Partial<Omit<Seen, 'exports'>> & { readonly exports?: Partial<Seen['exports']> } = {}): Seen {
  return {
    binding: someBinding(),
    secret: someSecret(),
    tenantName: undefined,
    root: { verdict: 'create', name: root },
    mark,
    find: () => undefined,
    deployment: undefined,
    ...change,
    exports: {
      offers: new Map([['widgets.example.org', someOffer()]]),
      bindings: [],
      exports: [],
      requests: [],
      ...change.exports,
    },
  };
}

const writesOf = (seen: Seen) => decide(seen, images).steps.flatMap(({ writes }) => writes);
const textOf = (write: Write) =>
  `${write.verb} ${write.type.kind} ${'ref' in write ? keyOf(write.ref) : keyOf({ name: '', ...write.object.metadata })}`;
const verdicts = (seen: Seen): readonly ConditionState[] => {
  const { conditions, steps } = decide(seen, images);
  return [...conditions, ...steps.map(({ verdict }) => verdict)];
};
const verdict = (seen: Seen, type: string) => verdicts(seen).find((condition) => condition.type === type);

/** A world in which everything was written that a decision asks for. */
function after(seen: Seen): Seen {
  const written = new Map<string, KubeObject>();
  for (const write of writesOf(seen)) {
    if (write.verb === 'apply' || write.verb === 'create')
      written.set(textOf(write).split(' ').slice(1).join(' '), write.object);
  }
  const all = <T>(kind: string) => [...written.values()].filter((object) => object.kind === kind) as T[];
  return {
    ...seen,
    root: { verdict: 'use', name: root, namespace: all<Namespace>('Namespace')[0] ?? rootNamespace },
    find: <T extends KubeObject>(type: ResourceType<T>, ref: ObjectRef) =>
      written.get(`${type.kind} ${keyOf(ref)}`) as T | undefined,
    deployment: all<Deployment>('Deployment')[0],
    exports: {
      ...seen.exports,
      bindings: all<APIServiceBinding>('APIServiceBinding'),
      requests: all<APIServiceExportRequest>('APIServiceExportRequest'),
    },
  };
}

const rootNamespace: Namespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { ...rootMetadata({ namespace: 'team', name: 'shop' }, undefined, mark), name: root },
};
const anExport = (name: string): APIServiceExport =>
  ({ apiVersion, kind: 'APIServiceExport', metadata: { name, namespace: root, uid: 'e' } }) as APIServiceExport;
const aBinding = (name: string, metadata: KubeObject['metadata'] = { labels: ours }): APIServiceBinding => ({
  apiVersion,
  kind: 'APIServiceBinding',
  metadata: { ...metadata, name, namespace: root },
  spec: { kubeconfigSecretRef: { name: 'app', namespace: root, key: kubeconfigKey } },
});
const aRequest = (resource: string, phase: 'Pending' | 'Failed' | 'Succeeded', metadata: object = { labels: ours }) =>
  ({
    apiVersion,
    kind: 'APIServiceExportRequest',
    metadata: { ...metadata, name: `r-${resource}`, namespace: root },
    spec: { resources: [{ group: 'example.org', resource }] },
    status: { phase, ...(phase === 'Failed' ? { terminalMessage: 'No such thing.' } : {}) },
  }) as APIServiceExportRequest;

describe('a new binding', () => {
  it('gets all that the Go backend makes for one', () => {
    const seen = see({ binding: someBinding({ konnector: { deploy: true } }) });

    expect(writesOf(seen).map(textOf)).toEqual([
      `create Namespace ${root}`,
      `apply ServiceAccount ${root}/klutch-binder`,
      `apply Secret ${root}/app`,
      `apply ClusterBinding ${root}/cluster`,
      `apply Role ${root}/control-plane-connector`,
      `apply RoleBinding ${root}/control-plane-connector`,
      `create APIServiceBinding ${root}/widgets.example.org`,
      `create APIServiceExportRequest ${root}/${derivedExportRequestName('shop', 'widgets.example.org')}`,
      `apply Deployment ${root}/konnector-shop`,
    ]);
  });

  it('labels all of it', () => {
    const seen = see({ binding: someBinding({ konnector: { deploy: true } }) });

    for (const write of writesOf(seen)) expect('object' in write && write.object.metadata.labels).toMatchObject(ours);
  });

  it('starts the konnector as its mode wants it, without privileges', () => {
    const { deployment } = after(see({ binding: someBinding({ konnector: { deploy: true } }) }));
    const [container] = deployment?.spec.template.spec.containers ?? [];

    expect(deployment?.spec).toMatchObject({
      replicas: 2,
      template: { spec: { serviceAccountName: 'klutch-binder' } },
    });
    expect(container?.args).toEqual([
      '--control-plane-mode',
      '--app-cluster-kubeconfig-secret-name=app',
      `--app-cluster-kubeconfig-secret-namespace=${root}`,
      '--app-cluster-kubeconfig-secret-key=kubeconfig',
      `--binding-root-namespace=${root}`,
      '--lease-namespace=$(POD_NAMESPACE)',
    ]);
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    });
  });

  it('is left alone when all is there', () => {
    const seen = see({ binding: someBinding({ konnector: { deploy: true } }) });

    expect(writesOf(after(seen))).toEqual([]);
  });

  it('hands the tenant of its namespace on to the root namespace', () => {
    const [write] = writesOf(see({ tenantName: 'acme' }));

    expect(write).toMatchObject({ object: { metadata: { annotations: { [annotations.tenantName]: 'acme' } } } });
  });
});

describe('nothing is written', () => {
  it.each<[string, Partial<Seen>, string, string]>([
    ['without a Secret', { secret: undefined }, 'SecretValid', 'KubeconfigSecretNotFound'],
    ['into a foreign namespace', { root: { verdict: 'foreign', name: root } }, 'NamespaceReady', 'NamespaceForeign'],
    [
      'into a namespace that goes',
      {
        root: {
          verdict: 'use',
          name: root,
          namespace: { ...rootNamespace, metadata: { ...rootNamespace.metadata, deletionTimestamp: 'now' } },
        },
      },
      'NamespaceReady',
      'Deleting',
    ],
    [
      'for a name that is too long',
      { binding: { ...someBinding(), metadata: { name: 'x'.repeat(53), namespace: 'team' } } },
      'NamespaceReady',
      'NameUnusable',
    ],
  ])('%s', (_, change, type, reason) => {
    const seen = see(change);

    expect(writesOf(seen)).toEqual([]);
    expect(verdict(seen, type)).toMatchObject({ status: 'False', reason });
  });
});

describe('what somebody changed', () => {
  const settled = after(see());
  const changed = (kind: string, change: (object: KubeObject) => object): Seen => ({
    ...settled,
    find: <T extends KubeObject>(type: ResourceType<T>, ref: ObjectRef) => {
      const found = settled.find(type, ref);
      return found && type.kind === kind ? (change(found) as T) : found;
    },
  });

  it('BE-52 is repaired: rules of the Role', () => {
    const seen = changed('Role', (role) => ({ ...role, rules: [] }));

    expect(writesOf(seen).map(textOf)).toEqual([`apply Role ${root}/control-plane-connector`]);
  });

  it('BE-52 is repaired: a rule was added', () => {
    const extra = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
    const seen = changed('Role', (role) => ({ ...role, rules: [...((role as { rules?: [] }).rules ?? []), extra] }));

    expect(writesOf(seen)).toHaveLength(1);
  });

  it('BE-52 is repaired: the RoleBinding refers to another role', () => {
    const seen = changed('RoleBinding', (binding) => ({ ...binding, roleRef: { kind: 'ClusterRole', name: 'x' } }));

    expect(writesOf(seen).map(textOf)).toEqual([
      `delete RoleBinding ${root}/control-plane-connector`,
      `apply RoleBinding ${root}/control-plane-connector`,
    ]);
  });

  it('is kept where it does not matter', () => {
    const seen = changed('ServiceAccount', (account) => ({ ...account, imagePullSecrets: [{ name: 'x' }] }));

    expect(writesOf(seen)).toEqual([]);
  });

  it('follows a new kubeconfig, and keeps the type of the copy', () => {
    const seen = {
      ...changed('Secret', (secret) => ({ ...secret, type: 'example.org/x' })),
      secret: someSecret(newer),
    };

    expect(writesOf(seen)).toMatchObject([{ verb: 'apply', object: { kind: 'Secret', type: 'example.org/x' } }]);
  });
});

const newer =
  'apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters: [{name: c, cluster: {server: "https://x"}}]\ncontexts: [{name: c, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {token: t}}]\n';

describe('the exports of a binding', () => {
  const settledWith = (exports: Partial<Seen['exports']>, annotation?: string) => {
    const binding = someBinding({}, annotation === undefined ? {} : { [annotations.acceptClaims]: annotation });
    return { ...after(see({ binding })), exports: { ...see({ exports }).exports } };
  };

  it('are pending, then ready', () => {
    expect(verdict(see(), 'ExportsReady')).toMatchObject({
      status: 'False',
      severity: 'Info',
      reason: 'ExportsPending',
    });
    const done = settledWith({
      exports: [anExport('widgets.example.org')],
      bindings: [aBinding('widgets.example.org')],
    });
    expect(verdict(done, 'ExportsReady')).toMatchObject({ status: 'True' });
    expect(writesOf(done)).toEqual([]);
  });

  it.each(['NotExported', 'CRDNotFound', 'NotEntitled', 'ScopeRefused'] as const)(
    'BE-50 say that an API cannot be had: %s',
    (refusal) => {
      const seen = settledWith({
        offers: new Map([['widgets.example.org', refusal]]),
        bindings: [aBinding('widgets.example.org')],
        exports: [anExport('widgets.example.org')],
      });

      expect(verdict(seen, 'ExportsReady')).toMatchObject({
        status: 'False',
        reason: 'ExportFailed',
        severity: 'Error',
      });
      expect(verdict(seen, 'ExportsReady')?.message).toContain('widgets.example.org: ');
      expect(writesOf(seen)).toEqual([]);
    },
  );

  it('tell why a request failed, and do not ask again while it is there', () => {
    const seen = settledWith({
      bindings: [aBinding('widgets.example.org')],
      requests: [aRequest('widgets', 'Failed')],
    });

    expect(verdict(seen, 'ExportsReady')).toMatchObject({ message: 'widgets.example.org: No such thing.' });
    expect(writesOf(seen)).toEqual([]);
  });

  it('are asked for again when they vanished', () => {
    const seen = settledWith({
      bindings: [aBinding('widgets.example.org')],
      requests: [aRequest('widgets', 'Succeeded')],
    });

    expect(writesOf(seen).map(textOf)).toEqual([`delete APIServiceExportRequest ${root}/r-widgets`]);
  });

  it('BE-51 go with the list, the export when its binding has gone', () => {
    const stale = {
      offers: new Map([['widgets.example.org', someOffer()]]),
      exports: [anExport('widgets.example.org'), anExport('gadgets.example.org')],
      requests: [aRequest('gadgets', 'Succeeded'), aRequest('things', 'Pending', {})],
    };
    const kept = aBinding('widgets.example.org');

    expect(
      writesOf(
        settledWith({ ...stale, bindings: [kept, aBinding('gadgets.example.org'), aBinding('foreign', {})] }),
      ).map(textOf),
    ).toEqual([
      `delete APIServiceBinding ${root}/gadgets.example.org`,
      `delete APIServiceExportRequest ${root}/r-gadgets`,
    ]);
    expect(writesOf(settledWith({ ...stale, requests: [], bindings: [kept] })).map(textOf)).toEqual([
      `delete APIServiceExport ${root}/gadgets.example.org`,
    ]);
  });

  it('BE-53 carry the decisions on claims', () => {
    const offers = new Map([['widgets.example.org', someOffer('widgets', [secretClaim])]]);
    const exports = [anExport('widgets.example.org')];
    const wanted = { offers, exports, bindings: [aBinding('widgets.example.org')] };
    const decided = (annotation: string) =>
      decide({ ...settledWith(wanted, annotation) }, images).steps.flatMap(({ writes }) => writes);

    expect(writesOf(settledWith(wanted))).toEqual([]);
    expect(decided('secrets')).toMatchObject([
      { verb: 'patch', patch: { spec: { permissionClaims: [{ ...secretClaim, state: 'Accepted' }] } } },
    ]);
    expect(decided('none')).toMatchObject([
      { verb: 'patch', patch: { spec: { permissionClaims: [{ ...secretClaim, state: 'Rejected' }] } } },
    ]);
    expect(verdict(settledWith(wanted, 'secret'), 'ExportsReady')).toMatchObject({ severity: 'Warning' });
  });
});

describe('the konnector of a binding', () => {
  const running = after(see({ binding: someBinding({ konnector: { deploy: true } }) }));

  it('goes when it is not wanted any more', () => {
    expect(writesOf({ ...running, binding: someBinding() }).map(textOf)).toEqual([
      `delete Deployment ${root}/konnector-shop`,
    ]);
    expect(verdict(see(), 'KonnectorDeployed')).toMatchObject({ status: 'True' });
  });

  it('BE-40 is not deployed with what is not allowed, and everything else goes on', () => {
    const overrides = { securityContext: { privileged: true }, image: 'evil.example.org/x' };
    const seen = see({ binding: someBinding({ konnector: { deploy: true, overrides } }) });

    expect(verdict(seen, 'KonnectorDeployed')).toMatchObject({
      status: 'False',
      severity: 'Error',
      reason: 'OverridesRefused',
    });
    expect(verdict(seen, 'KonnectorDeployed')?.message).toMatch(/securityContext\.privileged.*evil\.example\.org/);
    expect(writesOf(seen).some(({ type }) => type.kind === 'Deployment')).toBe(false);
    expect(verdict(seen, 'NamespaceReady')).toMatchObject({ status: 'True' });
  });

  it('follows changed overrides, also those that were taken back', () => {
    const overrides = { resources: { limits: { memory: '1Gi' } }, env: [{ name: 'TZ', value: 'UTC' }] };
    const changed = { ...running, binding: someBinding({ konnector: { deploy: true, overrides } }) };
    const [write] = writesOf(changed);

    expect(write).toMatchObject({ verb: 'apply' });
    const back = { ...running, deployment: (write as unknown as { readonly object: Deployment }).object };
    expect(writesOf(back)).toMatchObject([{ verb: 'apply' }]);
  });

  it('is not written again because the server has other words for the same', () => {
    const spec = structuredClone(running.deployment?.spec) as unknown as {
      template: { spec: { containers: object[] } };
    };
    Object.assign(spec.template.spec.containers[0] ?? {}, {
      resources: { limits: { memory: '0.5Gi' } },
      terminationMessagePath: '/x',
    });
    const deployment = { ...running.deployment, spec } as unknown as Deployment;

    expect(writesOf({ ...running, deployment })).toEqual([]);
  });

  it('of a Go backend is replaced', () => {
    const { annotations: _, ...metadata } = running.deployment?.metadata ?? {};
    const deployment = { ...running.deployment, metadata } as Deployment;

    expect(writesOf({ ...running, deployment }).map(textOf)).toEqual([`delete Deployment ${root}/konnector-shop`]);
  });

  it('needs an image', () => {
    const seen = see({ binding: someBinding({ konnector: { deploy: true } }) });

    const { steps } = decide(seen, { allowed: [] });

    expect(steps.at(-1)?.verdict).toMatchObject({ status: 'False', reason: 'KonnectorDeploymentFailed' });
  });
});
