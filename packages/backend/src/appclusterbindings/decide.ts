import {
  annotations,
  AppClusterBindingReason,
  ConditionType,
  type ConditionState,
  falseCondition,
  trueCondition,
} from '@klutch/api';
import { type KubeObject, Namespaces, type ObjectRef, type ResourceType, type Secret, Secrets } from '@klutch/kube';
import { type Deployment, Deployments } from '../objects/deployment.ts';
import { type RoleBinding, RoleBindings } from '../objects/rbac.ts';
import type { StoredBinding } from './binding-labels.ts';
import { covers } from './covers.ts';
import { decideExports, type ExportsSeen } from './decide-exports.ts';
import { type Decision, deletionOf, type Step, type Write } from './decision.ts';
import { isOurDeployment, isSameDeployment, konnectorDeployment } from './konnector-deployment.ts';
import { judgeOverrides } from './overrides.ts';
import type { Root } from './root-namespace.ts';
import { rootMetadata, rootObjects, type Wanted } from './root-objects.ts';
import { judgeSecret } from './secret-verdict.ts';

/** What is known about a binding and what was derived from it. */
export interface Seen {
  readonly binding: StoredBinding;
  /** The Secret that the binding names, if it lies in the namespace of the binding. */
  readonly secret: Secret | undefined;
  /** Name of the tenant that the namespace of the binding belongs to, as its annotation says. */
  readonly tenantName: string | undefined;
  readonly root: Root;
  /** Labels of every namespace that this backend has made or adopted. */
  readonly mark: Readonly<Record<string, string>>;
  /** An object in the root namespace that carries the labels of the binding. */
  find<T extends KubeObject>(type: ResourceType<T>, ref: ObjectRef): T | undefined;
  readonly exports: ExportsSeen;
  readonly deployment: Deployment | undefined;
}

export interface Images {
  /** What is run unless the binding names another. */
  readonly standard?: string;
  /** What a binding may name. */
  readonly allowed: readonly string[];
}

/** Pure: what must change so that a binding has what it needs, and what is to be said about it. */
export function decide(seen: Seen, images: Images): Decision {
  const { condition, kubeconfig } = judgeSecret(seen.binding, seen.secret);
  if (kubeconfig === undefined) return { conditions: [condition], steps: [] };
  const obstacle = rootObstacle(seen);
  if (obstacle) return { conditions: [condition, obstacle], steps: [] };
  return {
    conditions: [condition],
    steps: [
      rootStep(seen, kubeconfig),
      decideExports(seen.binding, seen.root.name, seen.exports),
      konnectorStep(seen, images),
    ],
  };
}

/** Longest name from which the names of the konnector and its pods can be derived. */
const maxBindingName = 52;

function rootObstacle({ binding, root }: Seen): ConditionState | undefined {
  const { NameUnusable, NamespaceForeign, Deleting } = AppClusterBindingReason;
  const obstacle = (severity: 'Error' | 'Info', reason: AppClusterBindingReason, message: string) =>
    falseCondition(ConditionType.NamespaceReady, severity, reason, message);
  if (binding.metadata.name.length > maxBindingName || binding.metadata.name.includes('.')) {
    const message = `The name of the binding has dots, or more than ${maxBindingName} characters. Create it under another name.`;
    return obstacle('Error', NameUnusable, message);
  }
  if (root.verdict === 'foreign') {
    const message = `Namespace ${root.name} exists and was not made for this binding. Remove it, or create the binding under another name.`;
    return obstacle('Error', NamespaceForeign, message);
  }
  if (root.verdict === 'use' && root.namespace.metadata.deletionTimestamp) {
    return obstacle('Info', Deleting, `Namespace ${root.name} is being deleted; it is made again when it is gone.`);
  }
  return undefined;
}

function rootStep(seen: Seen, kubeconfig: string): Step {
  const { binding, root } = seen;
  const place = { name: binding.spec.kubeconfigSecretRef.name, namespace: root.name };
  // The type of a Secret cannot be changed.
  const copyType = seen.find(Secrets, place)?.type;
  const objects = rootObjects(binding, root.name, kubeconfig, copyType).flatMap((wanted) => writesFor(seen, wanted));
  return {
    condition: ConditionType.NamespaceReady,
    failure: AppClusterBindingReason.WriteFailed,
    writes: [...namespaceWrites(seen), ...objects],
    verdict: trueCondition(ConditionType.NamespaceReady),
    isVital: true,
  };
}

function namespaceWrites({ binding, root, tenantName, mark }: Seen): readonly Write[] {
  const metadata = rootMetadata(binding.metadata, tenantName, mark);
  if (root.verdict !== 'use') {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { ...metadata, name: root.name } };
    return [{ verb: 'create', type: Namespaces, object }];
  }
  const { metadata: actual } = root.namespace;
  const isOutdated = tenantName === undefined && actual.annotations?.[annotations.tenantName] !== undefined;
  if (covers(actual, metadata) && !isOutdated) return [];
  // With the name of the tenant go the rights to what is offered to that tenant.
  const withoutTenant = isOutdated ? { annotations: { [annotations.tenantName]: null } } : {};
  const patch = { metadata: { ...metadata, ...withoutTenant, resourceVersion: actual.resourceVersion } };
  return [{ verb: 'patch', type: Namespaces, ref: { name: root.name }, patch }];
}

function writesFor(seen: Seen, wanted: Wanted): readonly Write[] {
  const { name = '', namespace } = wanted.object.metadata;
  const actual = seen.find(wanted.type, { name, namespace });
  const write: Write = { verb: 'apply', ...wanted };
  if (!actual) return [write];
  // What a RoleBinding refers to cannot be changed.
  const { roleRef } = wanted.object as RoleBinding;
  if (wanted.type.kind === RoleBindings.kind && !covers((actual as RoleBinding).roleRef, roleRef)) {
    return [deletionOf(wanted.type, actual), write];
  }
  return covers(actual, wanted.object) ? [] : [write];
}

function konnectorStep(seen: Seen, images: Images): Step {
  const { binding, deployment, root } = seen;
  const step = (writes: readonly Write[], verdict = trueCondition(ConditionType.KonnectorDeployed)): Step => ({
    condition: ConditionType.KonnectorDeployed,
    failure: AppClusterBindingReason.KonnectorDeploymentFailed,
    writes,
    verdict,
    isVital: false,
  });
  const refusal = (reason: AppClusterBindingReason, message: string) =>
    step([], falseCondition(ConditionType.KonnectorDeployed, 'Error', reason, message));
  const { deploy, overrides } = binding.spec.konnector ?? {};
  if (!deploy) return step(deployment ? [deletionOf(Deployments, deployment)] : []);

  const allowed = [...images.allowed, ...(images.standard ? [images.standard] : [])];
  const verdict = judgeOverrides(overrides, allowed);
  if ('refused' in verdict) {
    const message = `The konnector is not deployed, since spec.konnector.overrides asks for what is not allowed: ${verdict.refused.join('; ')}.`;
    return refusal(AppClusterBindingReason.OverridesRefused, message);
  }
  const image = verdict.changes.image ?? images.standard;
  if (image === undefined) {
    const message =
      'No image of the konnector is known. Start the backend with --konnector-image, or name an allowed one in spec.konnector.overrides.image.';
    return refusal(AppClusterBindingReason.KonnectorDeploymentFailed, message);
  }
  const wanted = konnectorDeployment(binding, root.name, image, verdict.changes);
  if (deployment && !isOurDeployment(deployment)) return step([deletionOf(Deployments, deployment)]);
  if (deployment && isSameDeployment(deployment, wanted)) return step([]);
  return step([{ verb: 'apply', type: Deployments, object: wanted }]);
}
