import { createHash } from 'node:crypto';
import {
  APIServiceBindingReason,
  ConditionType,
  type ConditionState,
  falseCondition,
  trueCondition,
} from '@klutch/api';
import { type ClusterConfig, isKubeError, parseKubeconfig, type Secret } from '@klutch/kube';

/** A kubeconfig that could be used, whether or not it leads anywhere. */
export interface Kubeconfig {
  readonly config: ClusterConfig;
  /** Equal for equal texts; tells nothing of the text. */
  readonly fingerprint: string;
}

/** What a Secret says about how to reach the other cluster. */
export type Reading =
  | { readonly kubeconfig: Kubeconfig }
  | {
      readonly kubeconfig?: undefined;
      readonly reason: 'KubeconfigSecretNotFound' | 'KubeconfigSecretInvalid';
      /** What is wrong with it, in a sentence that names the Secret and holds nothing secret. */
      readonly problem: string;
    };

/** A key in a Secret. */
export interface SecretKey {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
}

export interface ReadingOptions {
  readonly ref: SecretKey;
  /** Whether the current context must name a namespace: it is the place of this app cluster on the control plane. */
  readonly needsNamespace: boolean;
}

/** Reads the kubeconfig in a Secret as one that came from elsewhere: it may not run, read or redirect anything here. */
export function kubeconfigOf(secret: Secret | undefined, { ref, needsNamespace }: ReadingOptions): Reading {
  const source = `Secret ${ref.namespace}/${ref.name}`;
  if (!secret) {
    return {
      reason: APIServiceBindingReason.KubeconfigSecretNotFound,
      problem: `${source} does not exist. Create it, or bind again.`,
    };
  }
  const encoded = secret.data?.[ref.key];
  if (!encoded) return invalid(`${source} has no key "${ref.key}". Put the kubeconfig there, or bind again.`);
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  try {
    const config = parseKubeconfig(text, { source, trust: 'foreign' });
    if (needsNamespace && !config.namespace) {
      return invalid(`${source}: the current context names no namespace. Bind again to get a complete kubeconfig.`);
    }
    return { kubeconfig: { config, fingerprint: createHash('sha256').update(text).digest('hex') } };
  } catch (error) {
    if (isKubeError(error)) return invalid(error.message);
    throw error;
  }
}

/** What a binding says about its Secret. `refused` is why a kubeconfig that reads well was not taken into use. */
export function secretValid(reading: Reading, refused?: string): ConditionState {
  if (reading.kubeconfig && refused === undefined) return trueCondition(ConditionType.SecretValid);
  const reason = reading.kubeconfig ? APIServiceBindingReason.KubeconfigSecretInvalid : reading.reason;
  const message = reading.kubeconfig ? (refused ?? '') : reading.problem;
  return falseCondition(ConditionType.SecretValid, 'Error', reason, message);
}

function invalid(problem: string): Reading {
  return { reason: APIServiceBindingReason.KubeconfigSecretInvalid, problem };
}
