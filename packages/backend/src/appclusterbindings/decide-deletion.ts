import {
  type APIServiceBinding,
  APIServiceBindings,
  type APIServiceNamespace,
  APIServiceNamespaces,
  AppClusterBindingReason,
  annotations,
  ConditionType,
  type ConditionState,
  falseCondition,
} from '@klutch/api';
import { type KubeObject, Namespaces, type ResourceType } from '@klutch/kube';
import { type Deployment, Deployments } from '../objects/deployment.ts';
import { ClusterRoleBindings, ClusterRoles, type Role, type RoleBinding } from '../objects/rbac.ts';
import { ServiceAccounts } from '../objects/service-account.ts';
import type { StoredBinding } from './binding-labels.ts';
import { deletionOf, type Write } from './decision.ts';
import type { Root } from './root-namespace.ts';

/** Objects of bound APIs that an app cluster has on the control plane. */
export interface Instance {
  readonly type: ResourceType<KubeObject>;
  readonly object: KubeObject;
}

/** What is left of a binding that is being deleted. */
export interface Remains {
  readonly binding: StoredBinding;
  readonly root: Root;
  /** Not looked for when there is no root namespace. */
  readonly instances: readonly Instance[];
  /** In the root namespace. */
  readonly bindings: readonly APIServiceBinding[];
  readonly namespaces: readonly APIServiceNamespace[];
  readonly konnector: { readonly deployment?: Deployment; readonly account?: KubeObject };
  /** What a backend of earlier times has granted to the konnector. */
  readonly legacy: { readonly role?: Role; readonly roleBinding?: RoleBinding };
}

export type DeletionDecision =
  | { readonly next: 'release' }
  /** Writes to do now, and what the binding says meanwhile. */
  | { readonly next: 'wait'; readonly writes: readonly Write[]; readonly condition: ConditionState };

/**
 * Pure: the next step towards the end of a binding, each when the one before is seen to be done. As long as the app
 * cluster has objects of bound APIs nothing is touched, so that their users can still delete them.
 */
export function decideDeletion(remains: Remains): DeletionDecision {
  const { binding, root, instances, bindings, namespaces, konnector, legacy } = remains;
  if (root.verdict !== 'use') return { next: 'release' };
  if (instances.length > 0 && !deletesAll(binding)) {
    const message = `${instances.length} objects of bound APIs are still there, such as ${nameOf(instances)}. Delete them in the app cluster, or set the annotation ${annotations.onUnbind}: Delete on this binding to lose them.`;
    return waiting([], AppClusterBindingReason.DeletionHeld, message, 'Warning');
  }
  if (bindings.length > 0) {
    const writes = begun(APIServiceBindings, bindings);
    return removing(writes, `the konnector lets go of ${bindings.map(({ metadata }) => metadata.name).join(', ')}`);
  }
  if (instances.length > 0) {
    const writes = instances.flatMap(({ type, object }) => begun(type, [object]));
    return removing(writes, `${instances.length} objects of bound APIs go, such as ${nameOf(instances)}`);
  }
  if (konnector.deployment || konnector.account) {
    // Without its account it cannot ask for namespaces again, should it still run.
    const writes = [
      ...begun(Deployments, [konnector.deployment ?? []].flat()),
      ...begun(ServiceAccounts, [konnector.account ?? []].flat()),
    ];
    return removing(writes, 'the konnector stops');
  }
  if (namespaces.length > 0) {
    return removing(begun(APIServiceNamespaces, namespaces), `${namespaces.length} namespaces of the app cluster go`);
  }
  const grants = legacyWrites(root.name, legacy);
  return removing([...grants, ...begun(Namespaces, [root.namespace])], `namespace ${root.name} goes`);
}

function deletesAll({ metadata }: StoredBinding): boolean {
  return metadata.annotations?.[annotations.onUnbind] === 'Delete';
}

function removing(writes: readonly Write[], what: string): DeletionDecision {
  return waiting(writes, AppClusterBindingReason.Deleting, `Waits until ${what}.`, 'Info');
}

function waiting(
  writes: readonly Write[],
  reason: AppClusterBindingReason,
  message: string,
  severity: 'Info' | 'Warning',
): DeletionDecision {
  return { next: 'wait', writes, condition: falseCondition(ConditionType.NamespaceReady, severity, reason, message) };
}

function begun(type: ResourceType<KubeObject>, objects: readonly KubeObject[]): readonly Write[] {
  return objects.filter(({ metadata }) => !metadata.deletionTimestamp).map((object) => deletionOf(type, object));
}

/** Their names are ambiguous; they belong to this binding only if they serve accounts of its root namespace alone. */
function legacyWrites(root: string, { role, roleBinding }: Remains['legacy']): readonly Write[] {
  const { subjects = [] } = roleBinding ?? {};
  if (!roleBinding || subjects.length === 0 || subjects.some(({ namespace }) => namespace !== root)) return [];
  return [...begun(ClusterRoleBindings, [roleBinding]), ...(role ? begun(ClusterRoles, [role]) : [])];
}

function nameOf([first]: readonly Instance[]): string {
  const { kind, metadata } = first?.object ?? { kind: '', metadata: {} };
  return `${first?.type.kind ?? kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;
}
