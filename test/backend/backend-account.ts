import type { InformerScope, OfferedApi } from '@klutch/api';
import { backendAccess } from '@klutch/backend';
import { type ClusterConfig, connect, type KubeClient, Namespaces, parseKubeconfig } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { rbacGroup, RoleBindings } from '../../packages/backend/src/objects/rbac.ts';
import { type TestCluster, unique } from '../konnector/world.ts';

/** What the rights of a backend depend on. */
export interface AccountSettings {
  readonly offers?: readonly OfferedApi[];
  readonly consumerScope?: InformerScope;
  readonly controlPlaneMode?: boolean;
}

/** An account of a backend, with a namespace and the rights and policies that it generates for itself, and no others. */
export interface BackendAccount {
  readonly user: string;
  readonly namespace: string;
  readonly tenantRole: string;
  readonly config: ClusterConfig;
}

/** Makes an account; with the name of one that exists, gives that one other rights. */
export async function backendAccount(
  { admin, kubeconfig }: Pick<TestCluster, 'admin' | 'kubeconfig'>,
  settings: AccountSettings = {},
  user: string = unique('backend'),
): Promise<BackendAccount> {
  const { offers = [], consumerScope = 'Namespaced', controlPlaneMode = false } = settings;
  const [namespace, tenantRole] = [user, `${user}-tenant`];
  const manager = { fieldManager: 'klutch-test', force: true };
  await admin
    .resource(Namespaces)
    .apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, manager);
  const grounds = { offers, consumerScope, controlPlaneMode, tenantRole };
  for (const { type, object } of backendAccess({ ...grounds, name: user, account: user, namespace })) {
    await admin.resource(type).apply(object, manager);
  }
  users.set(admin, (users.get(admin) ?? new Set()).add(user));
  const config = parseKubeconfig(await kubeconfig({ name: user }), { source: 'the test', trust: 'local' });
  await untilConfined(config, user, tenantRole);
  return { user, namespace, tenantRole, config };
}

/** Roles and policies are in force a moment after they were written: until it is a policy that keeps the backend out. */
async function untilConfined(config: ClusterConfig, user: string, tenantRole: string): Promise<void> {
  const client = connect(config, { userAgent: 'klutch-test/1' });
  const elsewhere = {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'elsewhere', namespace: 'kube-system' },
    subjects: [{ kind: 'User', name: user, apiGroup: rbacGroup }],
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: tenantRole },
  };
  const isDenied = () =>
    client
      .resource(RoleBindings)
      .create(elsewhere, { dryRun: true })
      .then(
        () => false,
        (error: unknown) => error instanceof Error && error.message.includes('ValidatingAdmissionPolicy'),
      );
  try {
    await eventually(isDenied, { withinMs: 60_000, everyMs: 50 });
  } finally {
    await client.close();
  }
}

/** Users of all backends that a control plane has known. */
export function backendUsers({ admin }: Pick<TestCluster, 'admin'>): readonly string[] {
  return [...(users.get(admin) ?? [])];
}

const users = new WeakMap<KubeClient, Set<string>>();

const accounts = new WeakMap<TestCluster, { readonly user: string; readonly offers: OfferedApi[] }>();

/** The one account of a control plane for tests whose backends follow one another; its offers add up. */
export async function sharedAccount(plane: TestCluster, settings: AccountSettings = {}): Promise<BackendAccount> {
  const known = accounts.get(plane) ?? { user: unique('backend'), offers: [] };
  accounts.set(plane, known);
  known.offers.push(...(settings.offers ?? []));
  return await backendAccount(plane, { ...settings, offers: known.offers }, known.user);
}

/** The label of namespaces that the backends with the shared account have made. */
export async function sharedMark(plane: TestCluster): Promise<string> {
  return (accounts.get(plane) ?? (await sharedAccount(plane))).user;
}
