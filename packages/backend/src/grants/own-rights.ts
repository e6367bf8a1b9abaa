import { controlPlane as names, labels } from '@klutch/api';
import { type CallOptions, type Clock, type KubeClient, type Namespace, pause } from '@klutch/kube';
import { SelfSubjectAccessReviews, SelfSubjectReviews } from '../objects/access-review.ts';
import { excusing } from '../objects/excusing.ts';
import { rbacGroup, type RoleBinding, RoleBindings } from '../objects/rbac.ts';
import { ensureBinding } from './role-bindings.ts';

/**
 * The rights of the backend itself in namespaces of tenants. Cluster-wide it has next to none; in each namespace that it
 * makes or adopts it binds its ClusterRole for tenants to itself. Safe to use in several replicas at once.
 */
export interface OwnRights {
  /** The label of namespaces that this backend has made or adopted. */
  readonly mark: Readonly<Record<string, string>>;
  /** Whether this backend has made or adopted the namespace, and may hence act in it. */
  isMarked(namespace: Pick<Namespace, 'metadata'> | undefined): boolean;
  /**
   * Resolves when the backend has its rights in a marked namespace. Nothing is asked for a namespace whose UID was given
   * before. Throws what keeps it from having them.
   */
  ensure(namespace: NamespaceRef, call?: CallOptions): Promise<void>;
  /** Makes RoleBinding `klutch-backend` of a marked namespace give the backend its rights, and nobody else. */
  bind(namespace: string, call?: CallOptions & { readonly dryRun?: boolean }): Promise<void>;
}

export interface NamespaceRef {
  readonly name?: string;
  readonly uid?: string;
}

export interface OwnRightsDeps {
  readonly client: KubeClient;
  /** Namespace of the backend, by which namespaces are marked. */
  readonly namespace: string;
  /** Name of the ClusterRole with what a backend needs in a namespace of a tenant. */
  readonly tenantRole: string;
  readonly clock: Clock;
}

export function createOwnRights({ client, namespace: own, tenantRole, clock }: OwnRightsDeps): OwnRights {
  const mark = { [labels.backend]: own };
  const held = new Set<string>();
  let account: Promise<Subject> | undefined;

  return {
    mark,
    isMarked: (namespace) => namespace?.metadata.labels?.[labels.backend] === own,
    bind,
    ensure: async ({ name = '', uid }, call = {}) => {
      if (uid !== undefined && held.has(uid)) return;
      if (!(await isAllowed(name, call))) {
        await bind(name, call);
        await untilAllowed(name, call);
      }
      if (uid !== undefined) held.add(uid);
    },
  };

  async function bind(namespace: string, call: CallOptions & { readonly dryRun?: boolean } = {}): Promise<void> {
    const desired = bindingOf(namespace, tenantRole, await subject(call));
    const bindings = client.resource(RoleBindings);
    if ((await excusing(bindings.create(desired, call), 'KUBE_ALREADY_EXISTS')) || call.dryRun) return;
    await ensureBinding(bindings, desired, call);
  }

  function subject(call: CallOptions): Promise<Subject> {
    account ??= whoAmI(client, call).catch((error: unknown) => {
      account = undefined;
      throw error;
    });
    return account;
  }

  /** Authorizers learn of a RoleBinding a moment after it was written. */
  async function untilAllowed(namespace: string, call: CallOptions): Promise<void> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      if (await isAllowed(namespace, call)) return;
      await pause(clock, tryAgainMs, call.signal);
      call.signal?.throwIfAborted();
    }
    throw new Error(notEffective(namespace));
  }

  async function isAllowed(namespace: string, call: CallOptions): Promise<boolean> {
    const { status } = await client.resource(SelfSubjectAccessReviews).create(
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        metadata: {},
        spec: { resourceAttributes: { namespace, ...probe } },
      },
      call,
    );
    return status?.allowed ?? false;
  }
}

/** What every namespace of a tenant lets the backend do, and no other does. */
const probe = { verb: 'create', group: '', resource: 'secrets' } as const;

const tryAgainMs = 50;
const maxTries = 100;

type Subject = NonNullable<RoleBinding['subjects']>[number];

async function whoAmI(client: KubeClient, call: CallOptions): Promise<Subject> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} };
  const { status } = await client.resource(SelfSubjectReviews).create(review, call);
  return subjectOf(status?.userInfo?.username ?? '');
}

/** The subject of a RoleBinding that stands for a user of that name. */
export function subjectOf(username: string): Subject {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? [];
  if (namespace !== undefined && name !== undefined) return { kind: 'ServiceAccount', name, namespace };
  return { kind: 'User', name: username, apiGroup: rbacGroup };
}

function bindingOf(namespace: string, role: string, subject: Subject): RoleBinding {
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'RoleBinding',
    metadata: { name: names.backend, namespace },
    subjects: [subject],
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: role },
  };
}

function notEffective(namespace: string): string {
  return (
    `The backend has no rights in namespace ${namespace} although it has bound them. ` +
    `Apply what \`klutch backend manifests\` prints, since its ClusterRole for tenants may be out of date.`
  );
}
