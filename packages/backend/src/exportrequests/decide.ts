import {
  type APIServiceExport,
  type APIServiceExportRequest,
  APIServiceExportRequestReason as Reason,
  type Condition,
  type ConditionState,
  ConditionType,
  falseCondition,
  findCondition,
  readySummary,
  setCondition,
  trueCondition,
} from '@klutch/api';
import { nextConditions } from '../objects/next-conditions.ts';

/** A request, and what stands behind each of the APIs it names. */
export interface Seen {
  readonly request: APIServiceExportRequest;
  /** Each API once, in the order of the request. */
  readonly apis: readonly SeenApi[];
  readonly now: Date;
}

export interface SeenApi {
  /** `<resource>.<group>`. */
  readonly name: string;
  /** The export of that name in the cluster namespace. */
  readonly existing?: 'there' | 'ending';
  /** The export that the tenant is to get, or why there will be none. */
  readonly outcome:
    | { readonly is: 'offered'; readonly wanted: APIServiceExport }
    | { readonly is: 'refused'; readonly refusal: keyof typeof refusals }
    | { readonly is: 'invalid'; readonly problem: string };
}

export interface Decision {
  /** Exports to create, before the status is written. */
  readonly create: readonly APIServiceExport[];
  readonly status?: RequestStatus;
  /** The request has served its purpose. */
  readonly remove?: true;
  /** Milliseconds after which to look again. */
  readonly againMs?: number;
}

export type RequestStatus = Partial<NonNullable<APIServiceExportRequest['status']>>;

/** What becomes of a request. All of it is judged before anything is exported; no longer Pending, it is only kept a while. */
export function decide(seen: Seen): Decision {
  const { request, apis } = seen;
  if (request.metadata.deletionTimestamp !== undefined) return { create: [] };
  if (!isPending(request)) return expire(seen);
  const refusal = apis.flatMap((api) => finalProblem(api) ?? [])[0];
  if (refusal) return refuse(seen, refusal);
  const missing = apis.filter(({ outcome }) => outcome.is === 'refused').map(({ name }) => name);
  if (missing.length > 0) return wait(seen, Reason.CRDNotFound, crdsMissing(missing));
  const ending = apis.filter(({ existing }) => existing === 'ending').map(({ name }) => name);
  if (ending.length > 0) return wait(seen, Reason.ExportEnding, exportsEnding(ending));
  const create = apis.flatMap(({ existing, outcome }) =>
    existing === undefined && outcome.is === 'offered' ? [outcome.wanted] : [],
  );
  return {
    create,
    status: { phase: 'Succeeded', conditions: said(seen, trueCondition(ConditionType.ExportsReady)) },
    againMs: keptMs,
  };
}

/** What becomes of a request when the server refused one of its exports: for good, or as far as can be told now. */
export function afterRefusal(seen: Seen, name: string, message: string, isFinal: boolean): Decision {
  const text = `The export of ${name} was refused: ${message}`;
  if (isFinal) return fail(seen, Reason.CRDInvalid, text);
  return wait(seen, Reason.ExportNotWritten, text);
}

/** Whether somebody still waits for an answer. */
export function isPending({ status }: APIServiceExportRequest): boolean {
  return status?.phase === undefined || status.phase === 'Pending';
}

interface Problem {
  readonly reason: string;
  readonly message: string;
}

/** What no waiting can change. */
function finalProblem({ name, outcome }: SeenApi): Problem | undefined {
  if (outcome.is === 'invalid') return { reason: Reason.CRDInvalid, message: outcome.problem };
  if (outcome.is === 'offered' || outcome.refusal === 'CRDNotFound') return undefined;
  return { reason: outcome.refusal, message: refusals[outcome.refusal](name) };
}

const refusals = {
  NotExported: (name: string) =>
    `${name} is not exported by this control plane. Choose an API of its catalogue, or ask its operator for a template.`,
  NotEntitled: (name: string) =>
    `${name} is not offered to this tenant. Ask the operator of the control plane to admit it in the template.`,
  ScopeRefused: (name: string) =>
    `${name} is cluster-scoped, and this control plane exports only namespaced APIs. Choose another API.`,
  ClaimsRefused: (name: string) =>
    `${name} has permission claims, and this control plane lets app clusters see all namespaces, so that these would open the objects of others. Choose another API, or ask its operator for consumer scope Namespaced.`,
  CRDNotFound: (name: string) => crdsMissing([name]),
} as const;

function crdsMissing(names: readonly string[]): string {
  const [noun, verb] = names.length === 1 ? ['CustomResourceDefinition', 'does'] : ['CustomResourceDefinitions', 'do'];
  return `${noun} ${names.join(', ')} ${verb} not exist on the control plane. Ask its operator to install the service.`;
}

function exportsEnding(names: readonly string[]): string {
  return `An earlier export of ${names.join(', ')} is still being removed. Wait, or bind again in a minute.`;
}

/** Final, unless it came so early that the backend may not have seen yet what the login had seen. */
function refuse(seen: Seen, { reason, message }: Problem): Decision {
  const age = seen.now.getTime() - timeOf(seen.request.metadata.creationTimestamp);
  // From a clock ahead of ours nobody knows how early it came; it must not wait until ours is there.
  const isEarly = age >= 0 && age < settleMs;
  return isEarly ? { create: [], againMs: settleMs - age } : fail(seen, reason, message);
}

function wait(seen: Seen, reason: string, message: string): Decision {
  const left = patienceMs - ageOf(seen, reason);
  if (left <= 0) return fail(seen, reason, message);
  const conditions = changed(seen, falseCondition(ConditionType.ExportsReady, 'Error', reason, message));
  return { create: [], ...(conditions ? { status: { conditions } } : {}), againMs: Math.min(left, lookMs) };
}

function fail(seen: Seen, reason: string, message: string): Decision {
  const conditions = said(seen, falseCondition(ConditionType.ExportsReady, 'Error', reason, message));
  return { create: [], status: { phase: 'Failed', terminalMessage: message, conditions }, againMs: keptMs };
}

function expire({ request, now }: Seen): Decision {
  const finished = findCondition(request.status?.conditions, ConditionType.ExportsReady)?.lastTransitionTime;
  const since = Math.max(timeOf(request.metadata.creationTimestamp), timeOf(finished));
  const left = Math.min(keptMs, keptMs - (now.getTime() - since));
  return left > 0 ? { create: [], againMs: left } : { create: [], remove: true };
}

/** Milliseconds for which a request has waited: the server's clock decides, or ours, whichever is ahead. */
function ageOf({ request: { metadata, status }, now }: Seen, reason: string): number {
  const condition = findCondition(status?.conditions, ConditionType.ExportsReady);
  const noticed = condition?.reason === reason ? timeOf(condition.lastTransitionTime) : now.getTime();
  return now.getTime() - Math.min(timeOf(metadata.creationTimestamp), noticed);
}

function said(seen: Seen, state: ConditionState): readonly Condition[] {
  return changed(seen, state) ?? seen.request.status?.conditions ?? [];
}

/** Of the two conditions of a request, the second sums up the first. */
function changed({ request, now }: Seen, state: ConditionState): readonly Condition[] | undefined {
  const current = request.status?.conditions;
  const ready = readySummary(setCondition(current, state, now));
  return nextConditions(current, ready ? [state, ready] : [state], now);
}

function timeOf(text: string | undefined): number {
  return Date.parse(text ?? '') || 0;
}

/** How long an API may be missing before a request for it fails. */
const patienceMs = 60_000;
/** How often to look meanwhile, besides whenever something changes. */
const lookMs = 10_000;
/** How long a request is kept once it is decided; the CLI asks for as long. */
const keptMs = 600_000;
/** Within which all caches of all replicas are the same again. */
const settleMs = 2_000;
