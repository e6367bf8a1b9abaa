import { ConditionType } from '@klutch/api';
import type { BindingBoard, BindingRef } from '../bindings/binding-board.ts';
import type { AcceptedClaim } from './accepted-claim.ts';
import { claimsCondition, type ObjectProblem } from './problems.ts';
import { type Rule, ruleOf } from './rule.ts';

/** The claims on one type and all that is wrong with them, told to the bindings as it changes. */
export interface ClaimStatus {
  /** What the claims that can be served ask for; the first one that selects an object decides about it. */
  readonly rules: readonly Rule[];
  take(claims: readonly AcceptedClaim[]): void;
  /** From now on the bindings are told. */
  open(): void;
  /** Why the type cannot be used at all. */
  setUnavailable(problem: string | undefined): void;
  /** Why the type cannot be watched somewhere. */
  setUnwatched(problems: readonly string[]): void;
  /** What is wrong with a pair of objects; undefined when nothing is. */
  note(key: string, problem: ObjectProblem | undefined): void;
  problemOf(key: string): ObjectProblem | undefined;
}

export function createClaimStatus(type: string, board: BindingBoard): ClaimStatus {
  const objects = new Map<string, ObjectProblem>();
  const refused = new Map<AcceptedClaim, string>();
  let claims: readonly AcceptedClaim[] = [];
  let rules: readonly Rule[] = [];
  let unavailable: string | undefined;
  let unwatched: readonly string[] = [];
  let isOpen = false;

  function report(): void {
    if (!isOpen) return;
    for (const binding of bindingsOf(claims).values()) {
      board.report(binding, claimsCondition(binding, { type, claims, refused, unavailable, unwatched, objects }));
    }
  }

  return {
    get rules() {
      return rules;
    },
    take: (wanted) => {
      const before = bindingsOf(claims);
      claims = [...wanted].sort((a, b) => (nameOf(a.binding) < nameOf(b.binding) ? -1 : 1));
      refused.clear();
      rules = claims.flatMap((claim) => {
        const rule = ruleOf(claim);
        if (!('refused' in rule)) return [rule];
        refused.set(claim, rule.refused);
        return [];
      });
      const now = bindingsOf(claims);
      for (const [uid, binding] of before) if (!now.has(uid)) board.withdraw(binding, ConditionType.ClaimsSynced);
      report();
    },
    open: () => {
      isOpen = true;
      report();
    },
    setUnavailable: (problem) => {
      unavailable = problem;
      report();
    },
    setUnwatched: (problems) => {
      unwatched = problems;
      report();
    },
    note: (key, problem) => {
      if (problem === undefined && !objects.delete(key)) return;
      if (problem !== undefined) objects.set(key, problem);
      report();
    },
    problemOf: (key) => objects.get(key),
  };
}

function bindingsOf(claims: readonly AcceptedClaim[]): ReadonlyMap<string, BindingRef> {
  return new Map(claims.map(({ binding }) => [binding.uid, binding]));
}

function nameOf({ namespace = '', name }: BindingRef): string {
  return `${namespace}/${name}`;
}
