import { annotations, labels } from '@klutch/api';
import { type KubeClient, Namespaces, Secrets } from '@klutch/kube';
import { expect, it, onTestFinished } from 'vitest';
import { type Deployment, Deployments } from '../../packages/backend/src/objects/deployment.ts';
import { ServiceAccounts } from '../../packages/backend/src/objects/service-account.ts';
import {
  ClusterRoleBindings,
  ClusterRoles,
  RoleBindings,
  Roles,
  rbacGroup,
  type RoleBinding,
} from '../../packages/backend/src/objects/rbac.ts';
import { onOwnPlane, provide, sampleApi, type TestCluster, unique } from '../backend/exports-world.ts';
import { asBackend, launch, type Launched, patiently, webFor } from '../backend/process-world.ts';
import { startScriptedIssuer } from '../backend/scripted-issuer.ts';
import { baseUrl } from '../backend/web-world.ts';
import { type BoundCluster, bindAsMachine, settle } from '../bind/machine.ts';
import { beyondOwnPlaces } from './beyond-own-places.ts';
import { allCalls, nobody } from './calls.ts';
import { listedCalls } from './listed-calls.ts';
import { all, type Attempts, outcomesOf } from './outcomes.ts';
import { allowedCalls } from './try-calls.ts';

const claim = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } } as const;
const dryRun = { dryRun: true };

interface Scene {
  readonly launched: Launched;
  readonly bound: BoundCluster;
  /** With the token of the backend. */
  readonly hostile: KubeClient;
  readonly stranger: string;
  readonly plain: (title: string) => string;
}

/** A backend with one tenant, and somebody who holds its token; next to it a namespace with which it has nothing to do. */
async function openScene(plane: TestCluster, controlPlaneMode = false): Promise<Scene> {
  const api = sampleApi();
  const issuer = await startScriptedIssuer({ clientId: 'klutch', clientSecret: 'client-secret' });
  onTestFinished(() => issuer.close());
  await provide(plane, api, { claims: [claim] });
  const offers = [{ api, claims: [claim] }];
  const launched = await launch(plane, { offers, controlPlaneMode, web: webFor(issuer, baseUrl) });
  const port = Number(new URL(launched.backend.url()).port);
  const answer = await patiently(async () => {
    const given = await bindAsMachine({ port, issuer, apis: [api], clusterId: unique('app') });
    return given.status === 200 && given;
  });
  const bound = await settle(answer, [api]);
  const stranger = unique('stranger');
  await plane.admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: stranger } });
  const plain = (title: string) =>
    title.replace(api.name.slice(api.name.indexOf('.') + 1), 'example.org').replace(api.type.plural, 'widgets');
  return { launched, bound, hostile: asBackend(launched), stranger, plain };
}

function roleBinding(namespace: string, name: string, role: string, user: string): RoleBinding {
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'RoleBinding',
    metadata: { name, namespace },
    subjects: [{ kind: 'User', name: user, apiGroup: rbacGroup }],
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: role },
  };
}

/** Objects with the name that is tried, so that updates and deletions are decided by rights and policies alone. */
async function seed({ admin }: TestCluster, namespaces: readonly string[]): Promise<void> {
  const apply = { fieldManager: 'klutch-test', force: true };
  await admin.resource(Namespaces).apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: nobody } }, apply);
  const clusterRole = { apiVersion: `${rbacGroup}/v1`, kind: 'ClusterRole', metadata: { name: nobody }, rules: [] };
  await admin.resource(ClusterRoles).apply(clusterRole, apply);
  const cluster = {
    ...roleBinding('', nobody, 'view', 'nobody'),
    kind: 'ClusterRoleBinding',
    metadata: { name: nobody },
  };
  await admin.resource(ClusterRoleBindings).apply(cluster, apply);
  for (const namespace of namespaces) {
    await admin.resource(RoleBindings).apply(roleBinding(namespace, nobody, 'view', 'nobody'), apply);
    const metadata = { name: nobody, namespace };
    await admin.resource(Secrets).apply({ apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque' }, apply);
    await admin
      .resource({ ...klutch, plural: 'apiservicenamespaces', kind: 'APIServiceNamespace' })
      .apply({ apiVersion: 'klutch.anynines.com/v1alpha1', kind: 'APIServiceNamespace', metadata }, apply);
  }
}

const klutch = { group: 'klutch.anynines.com', version: 'v1alpha1', namespaced: true } as const;

/** Ways to make more of the rights in namespaces that are the backend's or its tenants'. */
async function tricksWithin(
  { admin }: TestCluster,
  hostile: KubeClient,
  { serviceNamespace }: BoundCluster,
  { namespace: own, tenantRole, user }: Launched,
): Promise<Attempts> {
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'operator', namespace: serviceNamespace },
  };
  await admin.resource(ServiceAccounts).create(account);
  const notes = { 'kubernetes.io/service-account.name': 'operator' };
  const metadata = { name: 'minted', namespace: serviceNamespace, annotations: notes };
  const minted = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/service-account-token' };
  return {
    'issues a token for an account of the provider': () => issueToken(hostile, serviceNamespace, 'operator'),
    'has Kubernetes put such a token into a Secret': () => hostile.resource(Secrets).create(minted, dryRun),
    'gives itself the rights of tenants in its own namespace': () =>
      hostile.resource(RoleBindings).create(roleBinding(own, 'more', tenantRole, user), dryRun),
  };
}

function issueToken(client: KubeClient, namespace: string, name: string): Promise<unknown> {
  const metadata = { name, namespace };
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec: {} };
  return client.resource(ServiceAccounts).create(request, { ...dryRun, subresource: 'token' });
}

onOwnPlane('somebody with the token of the backend', (plane) => {
  it.each([
    ['', 'allowed-backend.txt', []],
    // It says why an AppClusterBinding is not served, also where the operator has not let the backend in.
    [
      ' in control-plane mode',
      'allowed-backend-control-plane-mode.txt',
      ['patch appclusterbindings/status.klutch.anynines.com'],
    ],
  ])(
    'S-14 reaches exactly what the list says%s, and nothing outside the backend and its tenants',
    async (mode, list, exceptions) => {
      const { launched, bound, hostile, stranger, plain } = await openScene(plane(), mode !== '');
      await seed(plane(), [stranger, 'kube-system', 'default']);
      const self = { kind: 'User', name: launched.user, apiGroup: rbacGroup };
      const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name: launched.tenantRole };

      const calls = await allCalls(
        plane().admin,
        [
          { name: 'cluster' },
          { name: 'own-namespace', namespace: launched.namespace },
          { name: 'cluster-namespace-of-a-tenant', namespace: bound.clusterNamespace },
          { name: 'service-namespace-of-a-tenant', namespace: bound.serviceNamespace },
          { name: 'namespace-of-a-stranger', namespace: stranger },
          { name: 'kube-system', namespace: 'kube-system' },
          { name: 'default', namespace: 'default' },
        ],
        { rolebindings: { roleRef, subjects: [self] }, clusterrolebindings: { roleRef, subjects: [self] } },
      );
      const allowed = (await allowedCalls(hostile, calls)).map(plain).sort();

      expect(calls.length).toBeGreaterThan(1_000);
      expect(allowed).toEqual(await listedCalls(new URL(list, import.meta.url), allowed));
      expect(beyondOwnPlaces(allowed, exceptions)).toEqual([]);
    },
    300_000,
  );

  it('S-14 cannot make a namespace its own, nor give itself or others more than the backend has', async () => {
    const { launched, bound, hostile, stranger } = await openScene(plane());
    const namespaces = hostile.resource(Namespaces);
    const roleBindings = hostile.resource(RoleBindings);
    const mark = { labels: { [labels.backend]: launched.namespace } };
    const goMarks = { annotations: { [annotations.identity]: 'x#y', [annotations.apiServiceNamespace]: 'x/y' } };
    const marked = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...mark } });
    const patched = (name: string, metadata: object) =>
      namespaces.patch({ name }, { type: 'merge', patch: { metadata } }, dryRun);
    const foreign = {
      apiVersion: `${rbacGroup}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: unique('foreign') },
    };
    await plane()
      .admin.resource(ClusterRoleBindings)
      .create({
        ...foreign,
        subjects: [{ kind: 'User', name: 'somebody', apiGroup: rbacGroup }],
        roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: 'view' },
      });
    const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    const role = (namespace: string) => ({
      apiVersion: `${rbacGroup}/v1`,
      kind: 'Role',
      metadata: { name: 'more', namespace },
      rules: everything,
    });

    const tricks: Attempts = {
      'marks kube-system': () => patched('kube-system', mark),
      'marks a namespace of a stranger': () => patched(stranger, mark),
      'forges what a Go backend leaves': () => patched(stranger, goMarks),
      'forges it together with the mark': () => patched(stranger, { ...mark, ...goMarks }),
      'makes a namespace without the mark': () =>
        namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: unique('free') } }, dryRun),
      'makes a namespace of another backend': () =>
        namespaces.create(
          {
            apiVersion: 'v1',
            kind: 'Namespace',
            metadata: { name: unique('o'), labels: { [labels.backend]: 'other' } },
          },
          dryRun,
        ),
      'takes the mark from a namespace of a tenant': () =>
        patched(bound.clusterNamespace, { labels: { [labels.backend]: null } }),
      'deletes a namespace of a stranger': () => namespaces.delete({ name: stranger }, dryRun),
      'lets itself into kube-system': () =>
        roleBindings.create(roleBinding('kube-system', 'klutch-backend', launched.tenantRole, launched.user), dryRun),
      'makes itself an administrator of a tenant': () =>
        roleBindings.create(roleBinding(bound.clusterNamespace, 'more', 'cluster-admin', launched.user), dryRun),
      'writes a role with more than it has': () => hostile.resource(Roles).create(role(bound.clusterNamespace), dryRun),
      'deletes a ClusterRoleBinding of others': () =>
        hostile.resource(ClusterRoleBindings).delete({ name: foreign.metadata.name }, dryRun),
    };
    expect(await outcomesOf(tricks)).toEqual(all(tricks, 'forbidden'));
    const within = await tricksWithin(plane(), hostile, bound, launched);
    expect(await outcomesOf(within)).toEqual(all(within, 'forbidden'));
    // What the backend is for goes on.
    const duties: Attempts = {
      'makes a namespace with its mark': () => namespaces.create(marked(unique('own')), dryRun),
      'annotates a namespace of a tenant': () => patched(bound.clusterNamespace, { annotations: { x: 'y' } }),
      'issues a token for an app cluster': () => issueToken(hostile, bound.clusterNamespace, 'klutch-binder'),
    };
    expect(await outcomesOf(duties)).toEqual(all(duties, 'done'));
  }, 300_000);

  it('S-14 cannot run pods with privileges by way of the konnectors it deploys', async () => {
    const { bound, hostile } = await openScene(plane(), true);
    const namespaces = hostile.resource(Namespaces);
    const { labels: marks } = (await namespaces.get({ name: bound.clusterNamespace })).metadata;
    const name = unique('root');
    const restricted = { ...marks, 'pod-security.kubernetes.io/enforce': 'restricted' };
    await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: restricted } });
    const level = (value: string | null) => () =>
      namespaces.patch(
        { name },
        { type: 'merge', patch: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': value } } } },
        dryRun,
      );

    const never: Attempts = {
      'deploys where Kubernetes lets privileged pods run': () =>
        hostile.resource(Deployments).create(deploymentIn(bound.serviceNamespace), dryRun),
      'lifts the restriction': level(null),
      'lowers it': level('privileged'),
    };
    expect(await outcomesOf(never)).toEqual(all(never, 'forbidden'));
  }, 300_000);

  it('S-1 can end rights that app clusters have everywhere, and no others that look alike', async () => {
    const { hostile } = await openScene(plane());
    const { admin } = plane();
    const everywhere = async (name: string, subjects: RoleBinding['subjects'], role: string) => {
      const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name: role };
      const metadata = { name };
      const binding = { apiVersion: `${rbacGroup}/v1`, kind: 'ClusterRoleBinding', metadata, subjects, roleRef };
      await admin.resource(ClusterRoleBindings).create(binding);
      return () => hostile.resource(ClusterRoleBindings).delete({ name }, dryRun);
    };
    const somebody = [{ kind: 'User', name: 'somebody', apiGroup: rbacGroup }];
    const binder = [{ kind: 'ServiceAccount', name: 'klutch-binder', namespace: 'gone' }];

    const never: Attempts = {
      'of somebody else under such a name': await everywhere(`klutch-binder-${unique('x')}`, somebody, 'view'),
      'of an app cluster under another name': await everywhere(unique('operator'), binder, 'view'),
    };
    expect(await outcomesOf(never)).toEqual(all(never, 'forbidden'));
  }, 300_000);
});

function deploymentIn(namespace: string): Deployment {
  const matchLabels = { app: 'x' };
  const containers = [{ name: 'x', image: 'x' }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'x', namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels },
      template: { metadata: { labels: matchLabels }, spec: { serviceAccountName: 'default', containers } },
    },
  };
}
