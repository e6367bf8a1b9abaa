import { appClusterRules } from '@klutch/konnector';
import {
  type ClusterConfig,
  connect,
  type Interceptor,
  type KubeClient,
  parseKubeconfig,
  type ResourceType,
} from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import type { AppSide } from './app-side.ts';
import { unique } from './clusters.ts';
import type { SampleApi } from './sample-api.ts';

/** What a konnector serves, and is therefore allowed to do. */
export interface KonnectorRights {
  /** APIs that are, or will be, bound. */
  readonly apis?: readonly SampleApi[];
  /** Claims that are, or will be, accepted. */
  readonly claims?: Parameters<typeof appClusterRules>[1];
}

/** How a user with exactly the generated roles reaches the app cluster. Its rights are effective. */
export async function localConfig(app: AppSide, { apis = [], claims }: KonnectorRights): Promise<ClusterConfig> {
  const user = unique('konnector');
  const rules = appClusterRules(
    apis.map(({ type: { group, plural } }) => ({ group, plural })),
    claims,
  );
  await grantInCluster(app.cluster.admin, user, rules.cluster);
  await grantInNamespace(app.cluster.admin, { kind: 'User', name: user }, app.bindingNamespace, rules.namespace);
  const text = await app.cluster.kubeconfig({ name: user });
  const config = parseKubeconfig(text, { source: 'the test', trust: 'local' });
  await asUser(config, async (client) => {
    // Of what is granted in the cluster and in the namespace.
    const secrets = { verb: 'list', group: '', resource: 'secrets', namespace: app.bindingNamespace };
    await eventually(() => mayDo(client, { verb: 'list', group: '', resource: 'namespaces' }), { withinMs: 30_000 });
    await eventually(() => mayDo(client, secrets), { withinMs: 30_000 });
  });
  await refuseAdministrator(config);
  return config;
}

/** A client of a user with exactly the generated roles; close it. */
export async function openAsKonnector(
  app: AppSide,
  rights: KonnectorRights,
  interceptors: readonly Interceptor[] = [],
): Promise<KubeClient> {
  return connect(await localConfig(app, rights), { userAgent: 'klutch-konnector/test', interceptors });
}

/** Throws when somebody may do everything: no konnector, and no part of one, is to be tested so. */
export async function refuseAdministrator(config: ClusterConfig): Promise<void> {
  if (await asUser(config, (client) => mayDo(client, { verb: '*', group: '*', resource: '*' }))) {
    throw new Error('This user may do everything. A konnector has to be tested with the rights it will have.');
  }
}

async function asUser<T>(config: ClusterConfig, work: (client: KubeClient) => Promise<T>): Promise<T> {
  const client = connect(config, { userAgent: 'klutch-test/1' });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

interface Deed {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
}

/** Whether the user of a client may do something; everywhere, unless a namespace is named. */
export async function mayDo(client: KubeClient, deed: Deed): Promise<boolean> {
  const answer = await client.resource(AccessReviews).create({
    apiVersion: `${AccessReviews.group}/${AccessReviews.version}`,
    kind: AccessReviews.kind,
    metadata: {},
    spec: { resourceAttributes: deed },
  });
  return (answer['status'] as { readonly allowed: boolean }).allowed;
}

/** Lets a user do something everywhere in a cluster. */
export async function grantInCluster(admin: KubeClient, user: string, rules: readonly object[]): Promise<void> {
  const subjects = [{ apiGroup: rbac, kind: 'User', name: user }];
  await admin.resource(ClusterRoles).create(role('ClusterRole', { name: user }, { rules }));
  await admin
    .resource(ClusterRoleBindings)
    .create(role('ClusterRoleBinding', { name: user }, { subjects, roleRef: roleRef('ClusterRole', user) }));
}

/** Lets somebody do something in a namespace. */
export async function grantInNamespace(
  admin: KubeClient,
  subject: { readonly kind: 'User' | 'ServiceAccount'; readonly name: string },
  namespace: string,
  rules: readonly object[],
): Promise<void> {
  const name = unique('konnector');
  const subjects = [subject.kind === 'User' ? { ...subject, apiGroup: rbac } : { ...subject, namespace }];
  await admin.resource(Roles).create(role('Role', { name, namespace }, { rules }));
  await admin
    .resource(RoleBindings)
    .create(role('RoleBinding', { name, namespace }, { subjects, roleRef: roleRef('Role', name) }));
}

const AccessReviews: ResourceType = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
};
const rbac = 'rbac.authorization.k8s.io';
const type = (plural: string, kind: string, namespaced: boolean): ResourceType => ({
  group: rbac,
  version: 'v1',
  plural,
  kind,
  namespaced,
});
const ClusterRoles = type('clusterroles', 'ClusterRole', false);
const ClusterRoleBindings = type('clusterrolebindings', 'ClusterRoleBinding', false);
const Roles = type('roles', 'Role', true);
const RoleBindings = type('rolebindings', 'RoleBinding', true);

function role(kind: string, metadata: object, content: object) {
  return { apiVersion: `${rbac}/v1`, kind, metadata, ...content };
}

function roleRef(kind: string, name: string): object {
  return { apiGroup: rbac, kind, name };
}
