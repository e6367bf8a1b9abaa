import { annotations, ClusterBindingReason, type ConditionState, ConditionType, falseCondition } from '@klutch/api';
import type { Namespace } from '@klutch/kube';

/** What is known when the silence of an app cluster is judged. */
export interface SilenceSeen {
  readonly namespace: Pick<Namespace, 'metadata'>;
  /** The last heartbeat as the konnector wrote it. It is only compared with earlier ones, since its clock is another. */
  readonly heartbeat: string | undefined;
  /** Milliseconds of silence after which access expires; 0: never. */
  readonly expiryMs: number;
  /** By the clock of the backend, which all other times here are by, too. */
  readonly now: Date;
}

export interface Silence {
  /** `warned`: access expires soon. `over`: it expires now. */
  readonly is: 'heard' | 'warned' | 'over';
  /** Annotations of the cluster namespace to write first; null removes one. */
  readonly marks?: Readonly<Record<string, string | null>>;
  /** Milliseconds until time alone changes the verdict; undefined when it never does. */
  readonly nextMs?: number;
  /** The condition while `warned`. */
  readonly condition?: ConditionState;
}

/**
 * Pure: whether an app cluster has been silent for too long. A heartbeat that differs from the recorded one is a sign of
 * life; it is recorded once a day, and at once when the app cluster was believed silent. Access expires only after a warning
 * that has stood for the last fifth of the time, and for a day at least, also when the backend was away meanwhile.
 */
export function judgeSilence({ namespace: { metadata }, heartbeat = '', expiryMs, now }: SilenceSeen): Silence {
  if (expiryMs === 0) return { is: 'heard' };
  const { [annotations.lastHeartbeat]: recorded = '', ...notes } = metadata.annotations ?? {};
  const contact = timeOf(notes[annotations.lastContact]);
  const until = timeOf(notes[annotations.silentUntil]);
  const recordMs = Math.min(dayMs, expiryMs / 10);
  const warningMs = Math.max(expiryMs / 5, dayMs);
  const at = now.getTime();
  const isHeard = contact === undefined || recorded !== heartbeat;
  if (isHeard) {
    const isDue = contact === undefined || until !== undefined || at - contact >= recordMs;
    return isDue
      ? { is: 'heard', marks: contactAt(now, heartbeat), nextMs: recordMs }
      : { is: 'heard', nextMs: recordMs - (at - contact) };
  }
  const warnAt = contact + expiryMs - warningMs;
  if (until === undefined && at < warnAt) return { is: 'heard', nextMs: Math.min(warnAt - at, recordMs) };
  const end = until ?? Math.max(contact + expiryMs, at + warningMs);
  if (until !== undefined && at >= end) return { is: 'over' };
  return {
    is: 'warned',
    ...(until === undefined ? { marks: { [annotations.silentUntil]: new Date(end).toISOString() } } : {}),
    nextMs: Math.min(end - at, recordMs),
    condition: silent(new Date(contact), new Date(end)),
  };
}

const dayMs = 86_400_000;

function contactAt(now: Date, heartbeat: string): Readonly<Record<string, string | null>> {
  return {
    [annotations.lastContact]: now.toISOString(),
    [annotations.lastHeartbeat]: heartbeat,
    [annotations.silentUntil]: null,
  };
}

function silent(contact: Date, end: Date): ConditionState {
  const message = `Nothing was heard from the konnector since ${dayOf(contact)}. Its access ends on ${dayOf(end)}; the data is kept. Start the konnector, or bind the app cluster again.`;
  return falseCondition(ConditionType.CredentialValid, 'Warning', ClusterBindingReason.AppClusterSilent, message);
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}
