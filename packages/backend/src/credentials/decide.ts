import {
  annotations,
  ClusterBindingReason,
  type ConditionState,
  ConditionType,
  falseCondition,
  trueCondition,
} from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import { type AccessEnd, accessEnd } from '../tenants/cluster-namespace.ts';
import type { Silence } from './silence.ts';
import type { Standing } from './standing.ts';
import type { Holder, Stock } from './stock.ts';

/** What is known when the credential of an app cluster is considered. */
export interface Seen {
  readonly namespace: Namespace;
  readonly stock: Stock;
  readonly standing: Standing;
  /** Whether the kubeconfig that is offered says how the control plane is reached now. */
  readonly isAddressCurrent: boolean;
  /** Whether something was heard from the konnector lately, by the clock of the backend. */
  readonly silence: Silence;
  /** When the konnector last gave a sign of life, by its own clock. */
  readonly lastHeartbeat?: Date;
  readonly lifetimeMs: number;
  readonly graceMs: number;
  readonly now: Date;
}

export interface Decision {
  /** Whether another kubeconfig has to be offered. */
  readonly renew: boolean;
  /** Holders of replaced credentials that have to learn when they may go. */
  readonly retire: readonly { readonly name: string; readonly at: Date }[];
  /** Holders that go now, and their tokens with them. */
  readonly remove: readonly Holder[];
  /** Whether the account goes, and all tokens with it. */
  readonly removeAccount: boolean;
  /** Whether everything of the app cluster has to go. */
  readonly purge: boolean;
  readonly condition: ConditionState;
  /** Milliseconds until time alone changes the decision; undefined when it never does. */
  readonly nextMs?: number;
}

/**
 * What has to happen to the credential of an app cluster: renewed at half of its life; those before it go when their grace
 * is over and the konnector has been heard with time enough to have taken the new one, or when they are worth nothing
 * anyway; all of them go at once when access has ended.
 */
export function decide(seen: Seen): Decision {
  const { stock, standing, namespace } = seen;
  const holders = [...stock.anchors, ...(stock.legacy ? [stock.legacy] : [])];
  const nothing = { renew: false, retire: [], remove: [], removeAccount: false, purge: false };
  const end = accessEnd(namespace);
  if (end) {
    const purge = namespace.metadata.annotations?.[annotations.purge] === namespace.metadata.name;
    return { ...nothing, remove: holders, removeAccount: stock.account !== undefined, purge, condition: ended[end] };
  }
  if (!stock.account) return { ...nothing, condition: accountMissing };
  const condition = seen.silence.condition ?? valid;
  if (standing.is !== 'fresh' || !seen.isAddressCurrent) return { ...nothing, renew: true, condition };
  const fates = holders
    .filter(({ uid }) => uid !== standing.anchor.uid)
    .map((holder) => ({ holder, ...fateOf(holder, standing.issuedAt, seen) }));
  const times = [standing.renewAt, ...fates.flatMap(({ lookAgain }) => lookAgain ?? [])];
  const look = seen.now.getTime() + (seen.silence.nextMs ?? Infinity);
  const first = Math.min(look, ...times.map((time) => time.getTime()));
  return {
    ...nothing,
    retire: fates.flatMap(({ holder, retireAt }) => (retireAt ? [{ name: holder.name, at: retireAt }] : [])),
    remove: fates.flatMap(({ holder, goes }) => (goes ? [holder] : [])),
    condition,
    nextMs: Math.max(first - seen.now.getTime(), 1_000),
  };
}

/** `CredentialValid` when no new credential could be issued; a warning as long as the last one works. */
export function renewalFailed({ standing }: Pick<Seen, 'standing'>, problem: string): ConditionState {
  const message = `No new credential could be issued: ${problem}`;
  const severity = standing.is === 'absent' ? 'Error' : 'Warning';
  return falseCondition(ConditionType.CredentialValid, severity, ClusterBindingReason.CredentialRenewalFailed, message);
}

interface Fate {
  /** It has to be told when it retires. */
  readonly retireAt?: Date;
  readonly goes?: true;
  readonly lookAgain?: Date;
}

/** Clocks of clusters differ, so a sign of life counts only when it is clearly later. */
const skewMs = 60_000;

/** How often to look whether a konnector has been heard. */
const patienceMs = 60_000;

function fateOf(holder: Holder, replacedAt: Date, { lastHeartbeat, lifetimeMs, graceMs, now }: Seen): Fate {
  const { retireAt } = holder;
  // The token of a Go backend never expires, but it gets no more time than one of ours would.
  const expiresAt = holder.expiresAt ?? (retireAt && later(retireAt, lifetimeMs));
  if (expiresAt && expiresAt <= now) return { goes: true };
  if (!retireAt) return { retireAt: later(now, graceMs), lookAgain: later(now, graceMs) };
  if (retireAt > now) return { lookAgain: retireAt };
  const wasHeard = lastHeartbeat !== undefined && lastHeartbeat > later(replacedAt, skewMs);
  return wasHeard ? { goes: true } : { lookAgain: later(now, patienceMs) };
}

function later(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}

const valid = trueCondition(ConditionType.CredentialValid);

const ended: Readonly<Record<AccessEnd, ConditionState>> = {
  Revoked: falseCondition(
    ConditionType.CredentialValid,
    'Error',
    ClusterBindingReason.AccessRevoked,
    `The operator has taken all access from this app cluster. Its data is kept. To give access back, remove annotation ` +
      `${annotations.access} from the namespace and bind again.`,
  ),
  Expired: falseCondition(
    ConditionType.CredentialValid,
    'Error',
    ClusterBindingReason.AccessExpired,
    'Nothing was heard from the konnector for too long, so its access has ended. Its data is kept. Bind the app cluster again to give access back.',
  ),
};

const accountMissing = falseCondition(
  ConditionType.CredentialValid,
  'Error',
  ClusterBindingReason.CredentialRenewalFailed,
  'The service account of this app cluster is gone, and its credential with it. Bind the app cluster again.',
);
