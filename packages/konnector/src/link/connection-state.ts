import type { ProbeAnswer } from './probe.ts';

/** How it stands with the other cluster. */
export type LinkHealth =
  /** Not tried yet. */
  | { readonly state: 'unknown' }
  /** There is no kubeconfig to try. */
  | { readonly state: 'no-kubeconfig' }
  | { readonly state: 'up' }
  | { readonly state: 'down'; readonly cause: 'unreachable' | 'rejected' | 'missing'; readonly problem: string };

/**
 * Life of a connection:
 *
 *     waiting ──kubeconfig──▶ probing ──answers──▶ active ◀──answers── unreachable
 *                                ▲                   │ └──2 failures──────▲
 *                                └──── switching ◀───┘ another cluster or tenant answers
 *
 * and from each of them `stopped`. A new kubeconfig is tried beside the one in use, which goes on until the new one has
 * answered: for the same place and tenant only the credentials are exchanged; otherwise everything is stopped first.
 */
export type Phase = 'waiting' | 'probing' | 'active' | 'unreachable' | 'switching' | 'stopped';

export interface ConnectionState {
  readonly phase: Phase;
  readonly health: LinkHealth;
  /** What is connected now. */
  readonly inUse?: { readonly fingerprint: string; readonly identity: string };
  /**
   * A kubeconfig that was tried beside the one in use, and why it was not taken. Silence says nothing about it before
   * the connection in use has been checked: the cluster may be away for both.
   */
  readonly refused?: { readonly fingerprint: string; readonly problem: string; readonly isCertain: boolean };
  /** Checks in a row that failed. */
  readonly failures: number;
}

export type ConnectionEvent =
  /** What the Secret holds now; undefined when that cannot be used. */
  | { readonly type: 'wanted'; readonly fingerprint: string | undefined }
  /** A kubeconfig that is not in use was tried. */
  | { readonly type: 'tried'; readonly fingerprint: string; readonly answer: ConnectionAnswer }
  /** The connection in use was checked. */
  | { readonly type: 'checked'; readonly answer: ConnectionAnswer }
  /** Everything that ran on the connection has ended. */
  | { readonly type: 'ended' }
  | { readonly type: 'stop' };

/** What a probe found; `identity` names the place and the tenant there. */
export type ConnectionAnswer =
  | { readonly is: 'ok'; readonly identity: string }
  | Exclude<ProbeAnswer, { readonly is: 'ok' }>;

/** What has to be done; `recovered`: those who wait for the cluster may try again at once. */
export type ConnectionAction = 'nothing' | 'start' | 'exchange' | 'end' | 'recovered';

export const initialState: ConnectionState = { phase: 'waiting', health: { state: 'unknown' }, failures: 0 };

/** A single lost packet is no outage. */
const failuresUntilDown = 2;

/** The state after an event, and what has to be done about it. */
export function next(
  state: ConnectionState,
  event: ConnectionEvent,
): { readonly state: ConnectionState; readonly action: ConnectionAction } {
  if (state.phase === 'stopped') return nothing(state);
  switch (event.type) {
    case 'stop':
      return { state: { ...state, phase: 'stopped', inUse: undefined }, action: state.inUse ? 'end' : 'nothing' };
    case 'ended':
      return nothing({ phase: 'probing', health: state.health, failures: 0 });
    case 'wanted':
      return nothing(wanted(state, event.fingerprint));
    case 'tried':
      return tried(state, event.fingerprint, event.answer);
    case 'checked':
      return checked(state, event.answer);
  }
}

function wanted(state: ConnectionState, fingerprint: string | undefined): ConnectionState {
  if (state.inUse) {
    // Back to what is in use, or to something that was not tried: what was said of another one is void.
    return state.refused && state.refused.fingerprint !== fingerprint ? { ...state, refused: undefined } : state;
  }
  if (state.phase === 'switching') return state;
  if (fingerprint === undefined) return { ...state, phase: 'waiting', health: { state: 'no-kubeconfig' } };
  return state.phase === 'waiting' ? { ...state, phase: 'probing' } : state;
}

function tried(state: ConnectionState, fingerprint: string, answer: ConnectionAnswer) {
  const { inUse } = state;
  if (answer.is !== 'ok') {
    if (inUse) {
      const { problem } = answer;
      return nothing({ ...state, refused: { fingerprint, problem, isCertain: answer.is !== 'unreachable' } });
    }
    return nothing({ ...state, phase: 'probing' as const, health: down(answer) });
  }
  if (!inUse) return { state: active(fingerprint, answer.identity), action: 'start' as const };
  if (inUse.identity === answer.identity) {
    return { state: active(fingerprint, answer.identity), action: 'exchange' as const };
  }
  return switching(state);
}

function checked(state: ConnectionState, answer: ConnectionAnswer) {
  const { inUse } = state;
  if (!inUse) return nothing(state);
  if (answer.is === 'ok') {
    if (answer.identity !== inUse.identity) return switching(state);
    const refused = state.refused && { ...state.refused, isCertain: true };
    const healthy: ConnectionState = { ...state, phase: 'active', health: { state: 'up' }, failures: 0, refused };
    return { state: healthy, action: state.failures > 0 ? ('recovered' as const) : ('nothing' as const) };
  }
  const failures = state.failures + 1;
  const refused = state.refused?.isCertain ? state.refused : undefined;
  if (failures < failuresUntilDown) return nothing({ ...state, failures, refused });
  return nothing({ ...state, phase: 'unreachable' as const, health: down(answer), failures, refused });
}

function active(fingerprint: string, identity: string): ConnectionState {
  return { phase: 'active', health: { state: 'up' }, inUse: { fingerprint, identity }, failures: 0 };
}

function switching(state: ConnectionState) {
  return {
    state: { phase: 'switching' as const, health: state.health, failures: 0 },
    action: 'end' as const,
  };
}

function down(answer: Exclude<ConnectionAnswer, { readonly is: 'ok' }>): LinkHealth {
  return { state: 'down', cause: answer.is, problem: answer.problem };
}

function nothing(state: ConnectionState) {
  return { state, action: 'nothing' as const };
}
