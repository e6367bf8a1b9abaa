import {
  type AppClusterBinding,
  AppClusterBindingReason,
  ConditionType,
  type ConditionState,
  falseCondition,
  trueCondition,
} from '@klutch/api';
import { isKubeError, parseKubeconfig, type Secret } from '@klutch/kube';

/** Whether the kubeconfig of the app cluster may and can be used. */
export interface SecretVerdict {
  readonly condition: ConditionState;
  /** The value to copy, base64-encoded; only there when the condition holds. */
  readonly kubeconfig?: string;
}

/**
 * Judges the Secret a binding names. It must lie in the namespace of the binding: whoever may create bindings there
 * would else have the backend fetch Secrets that they cannot read. The kubeconfig is read as one from elsewhere: no
 * commands, no files, no proxies.
 */
export function judgeSecret(binding: AppClusterBinding, secret: Secret | undefined): SecretVerdict {
  const { namespace, name, key } = binding.spec.kubeconfigSecretRef;
  const source = `Secret ${namespace}/${name}`;
  if (namespace !== binding.metadata.namespace) {
    const advice = `Create the Secret in the namespace of the binding, "${binding.metadata.namespace}", and a binding that names it there.`;
    return invalid(AppClusterBindingReason.KubeconfigSecretForeign, `${source} lies in another namespace. ${advice}`);
  }
  if (!secret) {
    const advice = 'Create it with a kubeconfig of the app cluster.';
    return invalid(AppClusterBindingReason.KubeconfigSecretNotFound, `${source} does not exist. ${advice}`);
  }
  const kubeconfig = secret.data?.[key];
  if (!kubeconfig) {
    const message = `${source} has no key "${key}". Put a kubeconfig of the app cluster there.`;
    return invalid(AppClusterBindingReason.KubeconfigSecretInvalid, message);
  }
  try {
    parseKubeconfig(Buffer.from(kubeconfig, 'base64').toString('utf8'), { source, trust: 'foreign' });
    return { condition: trueCondition(ConditionType.SecretValid), kubeconfig };
  } catch (error) {
    if (!isKubeError(error)) throw error;
    return invalid(AppClusterBindingReason.KubeconfigSecretInvalid, error.message);
  }
}

/** `SecretValid` where the operator has not let the backend in. */
export function notLetIn({ metadata: { namespace } }: Pick<AppClusterBinding, 'metadata'>): ConditionState {
  const message =
    `The backend may neither read Secrets nor serve bindings in namespace ${namespace}. Let it in with what ` +
    `\`klutch backend manifests --app-cluster-namespace ${namespace}\` prints.`;
  return invalid(AppClusterBindingReason.KubeconfigSecretForbidden, message).condition;
}

function invalid(reason: AppClusterBindingReason, message: string): SecretVerdict {
  return { condition: falseCondition(ConditionType.SecretValid, 'Error', reason, message) };
}
