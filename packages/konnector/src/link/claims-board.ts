import { type ConditionState, ConditionType } from '@klutch/api';
import type { BindingBoard, BindingRef } from '../bindings/binding-board.ts';

/** Boards for parts that share one condition of a binding: of what they say, the worst is shown. */
export interface SharedCondition {
  /** The board for one part. */
  boardFor(part: string): BindingBoard;
  /** Forgets what a part said of bindings, which go on showing it until another part has something to say. */
  leave(part: string): void;
}

/** Lets one part for each claimed type speak about `ClaimsSynced`. All else passes through. */
export function shareClaimsSynced(board: BindingBoard): SharedCondition {
  const said = new Map<string, { readonly ref: BindingRef; readonly states: Map<string, ConditionState> }>();

  function show(uid: string): void {
    const entry = said.get(uid);
    if (!entry) return;
    const worst = worstOf([...entry.states.values()]);
    if (worst) board.report(entry.ref, worst);
    else {
      said.delete(uid);
      board.withdraw(entry.ref, ConditionType.ClaimsSynced);
    }
  }

  function forget(part: string, uid: string): void {
    if (said.get(uid)?.states.delete(part)) show(uid);
  }

  return {
    boardFor: (part) => ({
      ...board,
      report: (ref, state) => {
        if (state.type !== ConditionType.ClaimsSynced) return board.report(ref, state);
        const entry = said.get(ref.uid) ?? { ref, states: new Map<string, ConditionState>() };
        said.set(ref.uid, entry);
        entry.states.set(part, state);
        show(ref.uid);
      },
      withdraw: (ref, type) => {
        if (type !== ConditionType.ClaimsSynced) return board.withdraw(ref, type);
        forget(part, ref.uid);
      },
    }),
    leave: (part) => {
      for (const [uid, { states }] of said) {
        states.delete(part);
        if (states.size === 0) said.delete(uid);
      }
    },
  };
}

/** False before Unknown before True, errors first; among equals the alphabetically first, so that it does not flicker. */
function worstOf(states: readonly ConditionState[]): ConditionState | undefined {
  return [...states].sort((a, b) => rank(a) - rank(b) || (text(a) < text(b) ? -1 : 1))[0];
}

function rank({ status, severity }: ConditionState): number {
  if (status === 'False') return { Error: 0, Warning: 1, Info: 2 }[severity ?? 'Info'];
  return status === 'Unknown' ? 3 : 4;
}

function text({ reason = '', message = '' }: ConditionState): string {
  return `${reason} ${message}`;
}
