import { BOOL, compile, DYN, EvalError, jsonValue, mustBe } from '@klutch/cel';

const ready = compile("object.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')", {
  variables: { object: DYN },
  result: mustBe(BOOL),
});

/** Whether an object is ready, or why nobody can tell. */
export function isReady(object: object): boolean | string {
  if ('problem' in ready) return ready.problem;
  const verdict = ready.run({ object: jsonValue(object) }, { left: 1_000_000 });
  return verdict instanceof EvalError ? verdict.message : verdict === true;
}
