import {
  type ClusterBinding,
  ClusterBindingReason,
  type Condition,
  type ConditionState,
  ConditionType,
  falseCondition,
  isSameState,
  kubeconfigKey,
  setCondition,
  setReady,
  trueCondition,
} from '@klutch/api';
import type { Secret } from '@klutch/kube';
import { kubeconfigOf } from '../bindings/kubeconfig-of.ts';

/** What is known when a heartbeat is considered. */
export interface Seen {
  readonly clusterBinding: ClusterBinding;
  /** The Secret on the control plane that holds the current kubeconfig; undefined when it is missing. */
  readonly offered: Secret | undefined;
  /** The Secret in the app cluster that is used; undefined when it is missing. */
  readonly used: Secret | undefined;
  readonly version: KonnectorVersion;
  /** Whether the Secret of the control plane has to be carried to the app cluster. */
  readonly carriesSecret: boolean;
  readonly intervalMs: number;
  /** Whether it is time for a sign of life. */
  readonly isDue: boolean;
  readonly now: Date;
}

export interface Decision {
  /** Content that the Secret in the app cluster has to get. */
  readonly secret?: SecretContent;
  /** Merge patch for the status of the ClusterBinding. */
  readonly status?: NonNullable<ClusterBinding['status']>;
}

export interface SecretContent {
  readonly type: string | undefined;
  readonly data: Readonly<Record<string, string>>;
}

/** What a ClusterBinding has to be told, and whether a new kubeconfig has to be carried over. The control plane wins. */
export function decide(seen: Seen): Decision {
  const { clusterBinding, version, now, intervalMs } = seen;
  const status = clusterBinding.status ?? {};
  const offer = seen.carriesSecret ? judgeOffer(seen) : undefined;

  let conditions: readonly Condition[] = status.conditions ?? [];
  if (offer) conditions = setCondition(conditions, offer.condition, now);
  conditions = setCondition(conditions, validVersion(version), now);
  conditions = setReady(conditions, now);
  const lastHeartbeatTime = inSeconds(now);
  const heartbeatInterval = goDuration(intervalMs);
  const konnectorVersion = version.is === 'known' ? version.version : 'unknown';
  const patch = {
    // Times have whole seconds: one more in the same second would show nobody anything.
    ...(seen.isDue && status.lastHeartbeatTime !== lastHeartbeatTime ? { lastHeartbeatTime } : {}),
    ...(status.heartbeatInterval === heartbeatInterval ? {} : { heartbeatInterval }),
    ...(status.konnectorVersion === konnectorVersion ? {} : { konnectorVersion }),
    ...(sameConditions(status.conditions ?? [], conditions) ? {} : { conditions }),
  };
  return { secret: offer?.content, status: Object.keys(patch).length > 0 ? patch : undefined };
}

/** The version of this konnector, as it reports it. */
export type KonnectorVersion = { readonly is: 'known'; readonly version: string } | { readonly is: 'unknown' };

/** Reads a version such as `1.5.0` or `v1.5.0-rc.1`; anything else is reported as unknown. */
export function konnectorVersion(text: string): KonnectorVersion {
  const found = /^v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?:\+[0-9A-Za-z.-]+)?$/.exec(text);
  return found ? { is: 'known', version: `v${found[1]}` } : { is: 'unknown' };
}

/** As Go writes durations of whole seconds, such as `5m0s`. */
export function goDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  if (h > 0) return `${h}h${m}m${s}s`;
  return m > 0 ? `${m}m${s}s` : `${s}s`;
}

function judgeOffer({ clusterBinding, offered, used }: Seen): { condition: ConditionState; content?: SecretContent } {
  const { name } = clusterBinding.spec.kubeconfigSecretRef;
  const namespace = clusterBinding.metadata.namespace ?? '';
  const refuse = (reason: string, message: string) => ({
    condition: falseCondition(ConditionType.SecretValid, 'Warning', reason, message),
  });
  if (!offered) {
    return refuse(ClusterBindingReason.ProviderSecretNotFound, `Secret ${namespace}/${name} does not exist.`);
  }
  const reading = kubeconfigOf(offered, { ref: { namespace, name, key: kubeconfigKey }, needsNamespace: true });
  if (!reading.kubeconfig) {
    return refuse(ClusterBindingReason.ProviderSecretInvalid, `It is not passed on: ${reading.problem}`);
  }
  const data = offered.data ?? {};
  const isSame = used !== undefined && sameData(used.data ?? {}, data);
  return {
    condition: trueCondition(ConditionType.SecretValid),
    ...(isSame ? {} : { content: { type: offered.type, data } }),
  };
}

function validVersion(version: KonnectorVersion): ConditionState {
  if (version.is === 'known') return trueCondition(ConditionType.ValidVersion);
  const message = 'The konnector does not know its own version.';
  return falseCondition(ConditionType.ValidVersion, 'Warning', ClusterBindingReason.ParseError, message);
}

function sameData(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

function sameConditions(a: readonly Condition[], b: readonly Condition[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((one) => b.some((other) => isSameState(one, other)));
}

function inSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
