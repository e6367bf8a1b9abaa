import {
  annotations,
  apiVersion,
  type ClusterBinding,
  ClusterBindings,
  controlPlane,
  group,
  kubeconfigKey,
} from '@klutch/api';
import { type KubeObject, type Namespace, type ResourceType, type Secret, Secrets } from '@klutch/kube';
import { type Role, type RoleBinding, RoleBindings, Roles, rbacGroup, type Rule } from '../objects/rbac.ts';
import { ServiceAccounts } from '../objects/service-account.ts';
import { type BindingRef, bindingLabels, type StoredBinding } from './binding-labels.ts';

/** An object that is to be there. */
export interface Wanted {
  readonly type: ResourceType<KubeObject>;
  readonly object: KubeObject;
}

/** Labels and annotations of a root namespace. Kubernetes itself then refuses pods with privileges in it. */
export function rootMetadata(
  binding: BindingRef,
  tenantName: string | undefined,
  mark: Readonly<Record<string, string>>,
): Namespace['metadata'] {
  return {
    labels: { ...mark, ...bindingLabels(binding), 'pod-security.kubernetes.io/enforce': 'restricted' },
    ...(tenantName ? { annotations: { [annotations.tenantName]: tenantName } } : {}),
  };
}

/** What a root namespace holds besides bindings, exports and the konnector. `copyType` is that of a copy which exists. */
export function rootObjects(
  binding: StoredBinding,
  root: string,
  kubeconfig: string,
  copyType = 'Opaque',
): readonly Wanted[] {
  const { name: secretName, key } = binding.spec.kubeconfigSecretRef;
  const labelled = (name: string) => ({ name, namespace: root, labels: bindingLabels(binding.metadata) });
  const serviceAccount = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: labelled(controlPlane.binder) };
  const copy: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: labelled(secretName),
    type: copyType,
    data: { [kubeconfigKey]: kubeconfig },
  };
  const clusterBinding: ClusterBinding = {
    apiVersion,
    kind: 'ClusterBinding',
    metadata: labelled(controlPlane.clusterBinding),
    spec: { kubeconfigSecretRef: { name: secretName, key }, providerPrettyName: binding.metadata.name },
  };
  const role: Role = {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'Role',
    metadata: labelled(controlPlane.connectorRole),
    rules: connectorRules,
  };
  return [
    wanted(ServiceAccounts, serviceAccount),
    wanted(Secrets, copy),
    wanted(ClusterBindings, clusterBinding),
    wanted(Roles, role),
    wanted(RoleBindings, connectorRoleBinding(labelled(controlPlane.connectorRole), root)),
  ];
}

const everything = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

/** What a konnector on the control plane may do in its root namespace besides what every app cluster may. */
export const connectorRules: readonly Rule[] = [
  { apiGroups: [group], resources: ['apiservicebindings'], verbs: everything },
  { apiGroups: [group], resources: ['apiservicebindings/status'], verbs: ['patch', 'update'] },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: everything },
];

function connectorRoleBinding(metadata: KubeObject['metadata'], root: string): RoleBinding {
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'RoleBinding',
    metadata,
    subjects: [{ kind: 'ServiceAccount', name: controlPlane.binder, namespace: root }],
    roleRef: { apiGroup: rbacGroup, kind: 'Role', name: controlPlane.connectorRole },
  };
}

function wanted<T extends KubeObject>(type: ResourceType<T>, object: T): Wanted {
  return { type, object };
}
