import {
  annotations,
  type APIServiceNamespace,
  APIServiceNamespaceReason as Reason,
  type ConditionState,
  ConditionType,
  type Condition,
  falseCondition,
  finalizers,
  labels,
  readySummary,
  setCondition,
  trueCondition,
} from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import { nextConditions } from '../objects/next-conditions.ts';
import { type Claimant, choosePlace, marksOf, type Places } from './place.ts';

/** An APIServiceNamespace, and all that matters for it. */
export interface Seen {
  readonly mapping: APIServiceNamespace;
  readonly clusterNamespace: Namespace;
  /** Labels of every namespace that this backend has made or adopted. */
  readonly mark: Readonly<Record<string, string>>;
  readonly places: Places;
  /** Service namespaces of the app cluster without this one, and how many it may have. */
  readonly quota: { readonly used: number; readonly limit: number };
  /** Objects of bound APIs in the place, some of them by name; undefined while nobody has looked. */
  readonly left?: readonly string[];
  /** Whether the server itself was asked for the places. */
  readonly isConfirmed?: boolean;
  readonly now: Date;
}

export type Step =
  /** Make sure that the mapping does not go before its namespace. */
  | { readonly do: 'hold' }
  | { readonly do: 'create'; readonly namespace: Namespace }
  | { readonly do: 'mark'; readonly namespace: Namespace; readonly metadata: object }
  /** Let the app cluster into the namespace. */
  | { readonly do: 'grant'; readonly namespace: string }
  /** Look for objects in it, then decide again. */
  | { readonly do: 'look inside'; readonly namespace: string }
  /** Ask the server whether there is really no place, then decide again. */
  | { readonly do: 'confirm' }
  | { readonly do: 'delete'; readonly namespace: Namespace }
  /** Let the mapping go. */
  | { readonly do: 'release' };

export interface Decision {
  /** In this order; the status comes after them. */
  readonly steps: readonly Step[];
  readonly status?: MappingStatus;
  /** Milliseconds after which to look again. */
  readonly againMs?: number;
}

export type MappingStatus = Partial<NonNullable<APIServiceNamespace['status']>>;

/** What has to be done for an APIServiceNamespace. Its answer is computed from names and marks, never read back. */
export function decide(seen: Seen): Decision {
  if (seen.mapping.metadata.deletionTimestamp !== undefined) return remove(seen);
  if (seen.clusterNamespace.metadata.deletionTimestamp !== undefined) return { steps: [] };
  const place = placeOf(seen);
  const hold: readonly Step[] = isHeld(seen) ? [] : [{ do: 'hold' }];
  if (place.is === 'ours') return keep(seen, place.namespace, hold);
  if (place.is === 'foreign') {
    const message = place.heir ? inherited(place.name) : occupied(place.name);
    return { steps: [], ...not(seen, 'Error', Reason.NamespaceForeign, message), againMs: slowMs };
  }
  if (seen.quota.used >= seen.quota.limit) {
    return { steps: [], ...not(seen, 'Error', Reason.QuotaExceeded, tooMany(seen)), againMs: slowMs };
  }
  const namespace = newNamespace(place.name, seen);
  return {
    steps: [...hold, { do: 'create', namespace }, { do: 'grant', namespace: place.name }],
    ...ready(seen, place.name),
  };
}

/** The status after a step that failed; undefined when it says so already. */
export function afterFailure(seen: Seen, message: string): MappingStatus | undefined {
  const text = `The namespace on the control plane cannot be served: ${message}`;
  return not(seen, 'Error', Reason.NamespaceFailed, text).status;
}

function keep(seen: Seen, namespace: Namespace, hold: readonly Step[]): Decision {
  const { name = '', deletionTimestamp } = namespace.metadata;
  if (deletionTimestamp !== undefined) {
    const message = `Namespace ${name} is being removed; a new one is made when it is gone.`;
    return { steps: hold, ...not(seen, 'Warning', Reason.Deleting, message), againMs: soonMs };
  }
  const missing = missingMarks(namespace, seen);
  const mark: readonly Step[] = missing ? [{ do: 'mark', namespace, metadata: missing }] : [];
  return { steps: [...hold, ...mark, { do: 'grant', namespace: name }], ...ready(seen, name) };
}

/** A namespace is deleted only if it was made for this, and nothing is left in it that somebody may want back. */
function remove(seen: Seen): Decision {
  if (!isHeld(seen)) return { steps: [] };
  const place = placeOf(seen);
  if (place.is !== 'ours') return { steps: [seen.isConfirmed ? { do: 'release' } : { do: 'confirm' }] };
  const { name = '', deletionTimestamp } = place.namespace.metadata;
  const going = not(seen, 'Info', Reason.Deleting, `Namespace ${name} is being removed.`);
  if (deletionTimestamp !== undefined) return { steps: [], ...going, againMs: soonMs };
  if (!isPurged(seen.clusterNamespace)) {
    if (seen.left === undefined) return { steps: [{ do: 'look inside', namespace: name }] };
    if (seen.left.length > 0) return holdBack(seen, name, seen.left);
  }
  return { steps: [{ do: 'delete', namespace: place.namespace }], ...going, againMs: soonMs };
}

function holdBack(seen: Seen, namespace: string, left: readonly string[]): Decision {
  const message =
    `Namespace ${namespace} is kept: objects of bound APIs are left in it, such as ${left.join(', ')}. ` +
    `Delete them on the control plane if nobody needs them any more.`;
  return { steps: [], ...not(seen, 'Warning', Reason.DeletionHeld, message), againMs: heldMs };
}

function placeOf(seen: Seen) {
  return choosePlace(seen.places, claimantOf(seen), seen.mapping.status?.namespace);
}

function claimantOf({ mapping: { metadata }, clusterNamespace }: Seen): Claimant {
  const { name = '', namespace = '' } = metadata;
  return { clusterNamespace: namespace, clusterUid: clusterNamespace.metadata.uid ?? '', name };
}

function newNamespace(name: string, seen: Seen): Namespace {
  const claimant = claimantOf(seen);
  const metadata = {
    name,
    annotations: marksOf(claimant),
    labels: { ...seen.mark, [labels.clusterNamespace]: claimant.clusterNamespace },
  };
  return { apiVersion: 'v1', kind: 'Namespace', metadata };
}

function missingMarks({ metadata }: Namespace, seen: Seen): object | undefined {
  const wanted = newNamespace('', seen).metadata;
  const lacks = (have: Readonly<Record<string, string>> = {}, want: Readonly<Record<string, string>> = {}) =>
    Object.entries(want).some(([key, value]) => have[key] !== value);
  if (!lacks(metadata.annotations, wanted.annotations) && !lacks(metadata.labels, wanted.labels)) return undefined;
  return { annotations: wanted.annotations, labels: wanted.labels };
}

function isHeld({ mapping }: Seen): boolean {
  return mapping.metadata.finalizers?.includes(finalizers.serviceNamespace) ?? false;
}

/** The operator has said that all data of the app cluster is to go. */
function isPurged({ metadata: { name, annotations: notes = {} } }: Namespace): boolean {
  return notes[annotations.access] === 'Revoked' && notes[annotations.purge] === name;
}

function ready(seen: Seen, namespace: string): Pick<Decision, 'status'> {
  const conditions = changed(seen, trueCondition(ConditionType.NamespaceReady));
  const isAnswered = seen.mapping.status?.namespace === namespace;
  if (isAnswered && !conditions) return {};
  return { status: { ...(isAnswered ? {} : { namespace }), ...(conditions ? { conditions } : {}) } };
}

function not(
  seen: Seen,
  severity: 'Error' | 'Warning' | 'Info',
  reason: Reason,
  message: string,
): Pick<Decision, 'status'> {
  const conditions = changed(seen, falseCondition(ConditionType.NamespaceReady, severity, reason, message));
  return conditions ? { status: { conditions } } : {};
}

/** The second condition sums up the first. */
function changed({ mapping, now }: Seen, state: ConditionState): readonly Condition[] | undefined {
  const current = mapping.status?.conditions;
  const summary = readySummary(setCondition(current, state, now));
  return nextConditions(current, summary ? [state, summary] : [state], now);
}

function occupied(name: string): string {
  return (
    `Namespace ${name} of the control plane was not made for this app namespace and is left alone. ` +
    `Ask the operator of the control plane to rename or remove it, or use an app namespace of another name.`
  );
}

function inherited(name: string): string {
  return (
    `Namespace ${name} of the control plane was made for an earlier registration of this app cluster and is left alone. ` +
    `Its operator can hand it over by removing its annotation ${annotations.tenant}.`
  );
}

function tooMany({ quota, mapping }: Seen): string {
  return (
    `The app cluster has ${quota.limit} namespaces on the control plane, which is all it may have. ` +
    `Remove one that is not used, or ask the operator of the control plane for more; ${mapping.metadata.name} is served then.`
  );
}

/** Somebody has to do something first. */
const slowMs = 30_000;
const heldMs = 15_000;
/** The watch tells; this is for when it does not. */
const soonMs = 5_000;
