import { goServiceNamespaceName, maxNameLength } from '@klutch/api';
import type { Origin } from '../epoch/line.ts';
import { evidenceOf } from './evidence.ts';
import type { Mapping } from './namespace-map.ts';

/** Everything known about one app namespace and its place on the control plane. */
export interface Seen {
  readonly name: string;
  readonly clusterNamespace: string;
  readonly appClusterId: string;
  readonly now: Date;
  /** When something of the namespace first had to travel; absent while nothing has to. */
  readonly wantedSince?: Date;
  readonly app: AppNamespace;
  readonly mapping?: SeenMapping;
  /** The operator says that nothing has to be proven before a place is given up. */
  readonly isReleased: boolean;
  /** Whether some part still has objects in the service namespace. */
  readonly stillUsed: boolean;
  /** Why the last try to create the mapping failed. */
  readonly failure?: string;
}

export type AppNamespace =
  | { readonly state: 'present' | 'terminating'; readonly uid: string }
  | { readonly state: 'absent'; readonly deletionSeen: boolean; readonly confirmed: boolean };

/** An APIServiceNamespace. */
export interface SeenMapping {
  readonly terminating: boolean;
  /** The backend's answer. */
  readonly serviceNamespace?: string;
  /** The backend's first answer, as it was written down, or as far as this process remembers. */
  readonly firstAnswer?: string;
  /** Whether the first answer was written down, for konnectors after this one. */
  readonly isRecorded: boolean;
  /** App namespace with an older right to the same service namespace. */
  readonly holder?: string;
  readonly sourceCluster?: string;
  readonly sourceUid?: string;
  /** Where the Namespace was when the mapping got its stamp. */
  readonly origin: Origin;
  /** Whether the operator allows to take over what `sourceCluster` left. */
  readonly mayTakeOver: boolean;
}

export type Step =
  /** Ask the backend for a place. */
  | 'create'
  /** Write down for whom the mapping is, and what the backend answered first. */
  | 'mark'
  /** Ask the app cluster itself whether the Namespace is gone, and decide again. */
  | 'confirm'
  /** Delete the mapping; the backend deletes the service namespace with everything in it. */
  | 'give up';

export interface Decision {
  readonly mapping: Mapping;
  readonly step?: Step;
  /** Milliseconds after which to look again although nothing changed. */
  readonly lookAgainMs?: number;
}

/** How long a backend may take to answer before those who wait are told. */
export const patienceMs = 10_000;

/** What an app namespace's place on the control plane is, and what has to be done about it. */
export function decide(seen: Seen): Decision {
  const { mapping, app } = seen;
  if (mapping === undefined) return withoutMapping(seen);
  if (isForeign(mapping, seen)) {
    const { sourceCluster: ofCluster } = mapping;
    return { mapping: { ...refusal(foreignProblem(mapping, seen)), ofCluster }, lookAgainMs: refusedMs };
  }
  if (mapping.terminating) return { mapping: endingOf(mapping) };
  if (app.state === 'absent') return withoutNamespace(app, mapping, seen);
  const place = placed(mapping, seen);
  const isOurs = mapping.sourceCluster === seen.appClusterId && mapping.sourceUid === app.uid;
  const isMarked = isOurs && (mapping.isRecorded || place.mapping.state !== 'ready');
  return { ...place, step: isMarked || app.state === 'terminating' ? undefined : 'mark' };
}

function withoutMapping(seen: Seen): Decision {
  const { app, wantedSince } = seen;
  if (wantedSince === undefined) return { mapping: { state: 'unknown' } };
  if (app.state === 'terminating')
    return { mapping: refusal(`Namespace ${seen.name} is being deleted; new objects in it are not copied.`) };
  if (app.state === 'absent') return awaitNamespace(wantedSince, seen);
  return { ...waiting(wantedSince, seen), step: 'create' };
}

/** A Namespace may be seen later than what is in it; one that is not seen for long is gone, and so is what was in it. */
function awaitNamespace(since: Date, { now }: Seen): Decision {
  const leftMs = since.getTime() + patienceMs - now.getTime();
  return leftMs > 0 ? { mapping: { state: 'waiting', since }, lookAgainMs: leftMs } : { mapping: { state: 'unknown' } };
}

function withoutNamespace(app: Extract<AppNamespace, { state: 'absent' }>, mapping: SeenMapping, seen: Seen): Decision {
  const { appClusterId, isReleased } = seen;
  const { sourceCluster, origin } = mapping;
  const evidence = evidenceOf({ ...app, sourceCluster, appClusterId, origin, isReleased });
  if (evidence.verdict === 'unproven') return { ...placed(mapping, seen), lookAgainMs: unprovenMs };
  if (seen.stillUsed) return { mapping: endingOf(mapping), lookAgainMs: stillUsedMs };
  return { mapping: endingOf(mapping), step: evidence.verdict === 'gone' ? 'give up' : 'confirm' };
}

/** The mapping as the backend's answer says, if the answer can be used. */
function placed(mapping: SeenMapping, seen: Seen): Decision {
  const { serviceNamespace, firstAnswer, holder } = mapping;
  if (serviceNamespace === undefined) {
    return seen.wantedSince === undefined ? { mapping: { state: 'unknown' } } : waiting(seen.wantedSince, seen);
  }
  if (firstAnswer !== undefined && firstAnswer !== serviceNamespace) {
    const problem = `The backend moved namespace ${seen.name} from ${firstAnswer} to ${serviceNamespace}; a place never changes. ${askOperator}`;
    return { mapping: { ...refusal(problem), movedFrom: firstAnswer } };
  }
  const problem = answerProblem(serviceNamespace, holder, seen);
  return { mapping: problem === undefined ? { state: 'ready', serviceNamespace } : refusal(problem) };
}

function answerProblem(
  answer: string,
  holder: string | undefined,
  { name, clusterNamespace }: Seen,
): string | undefined {
  const place = `APIServiceNamespace ${name} in ${clusterNamespace}`;
  if (holder !== undefined)
    return `The backend gave ${answer} to namespace ${holder} before it gave it to ${name}. ${askOperator}`;
  if (answer === clusterNamespace) return `${place} names the cluster namespace itself. ${askOperator}`;
  if (!isNamespaceName(answer)) return `${place} names "${answer}", which cannot be a namespace. ${askOperator}`;
  return undefined;
}

const askOperator = 'Ask the operator of the control plane to repair it.';

function waiting(since: Date, { name, clusterNamespace, now, failure }: Seen): Decision {
  if (failure !== undefined) return { mapping: { state: 'waiting', since, problem: failure } };
  const leftMs = since.getTime() + patienceMs - now.getTime();
  if (leftMs > 0) return { mapping: { state: 'waiting', since }, lookAgainMs: leftMs };
  const problem = silenceProblem(name, clusterNamespace);
  return { mapping: { state: 'waiting', since, problem } };
}

function silenceProblem(name: string, clusterNamespace: string): string {
  const waits = `The control plane has not provided a place for namespace ${name} (APIServiceNamespace ${name} in ${clusterNamespace}).`;
  const { length } = goServiceNamespaceName(clusterNamespace, name);
  if (length <= maxNameLength) return `${waits} Ask its operator whether the backend runs.`;
  const room = maxNameLength - clusterNamespace.length - 1;
  return `${waits} Its name is too long for many backends: use a namespace whose name has at most ${room} characters.`;
}

function isForeign({ sourceCluster, mayTakeOver }: SeenMapping, { appClusterId }: Seen): boolean {
  return sourceCluster !== undefined && sourceCluster !== appClusterId && !mayTakeOver;
}

function foreignProblem({ sourceCluster }: SeenMapping, { name, clusterNamespace, appClusterId }: Seen): string {
  return (
    `APIServiceNamespace ${name} in ${clusterNamespace} belongs to app cluster ${sourceCluster}, and this one is ${appClusterId}. ` +
    `If this cluster replaces that one, annotate the binding with klutch.anynines.com/take-over-from=${sourceCluster}; ` +
    'otherwise bind again to get a cluster namespace of its own.'
  );
}

function endingOf({ serviceNamespace }: SeenMapping): Mapping {
  return serviceNamespace === undefined ? { state: 'unknown' } : { state: 'ending', serviceNamespace };
}

function refusal(problem: string): Extract<Mapping, { state: 'refused' }> {
  return { state: 'refused', problem };
}

function isNamespaceName(name: string): boolean {
  return name.length <= maxNameLength && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name);
}

/** The operator may allow a take-over at any time, and nothing tells of it. */
const refusedMs = 10_000;
/** So may a cluster that was set back recover. */
const unprovenMs = 30_000;
/** Parts do not tell when they have seen the last of their objects. */
const stillUsedMs = 500;
