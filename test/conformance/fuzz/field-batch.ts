import type { Content, SchemaCase, Trial } from '../../../packages/cel/src/testing/index.ts';

/** A kind whose spec has all these fields, each by itself: an object of a trial has only the one it is about. */
export function batch(cases: readonly SchemaCase[]): SchemaCase<Content> {
  const properties = cases.map(({ schema }, index) => [`p${index}`, { type: 'object', properties: { v: schema } }]);
  return {
    schema: { type: 'object', properties: { spec: { type: 'object', properties: Object.fromEntries(properties) } } },
    trials: cases.flatMap(({ trials }, index) => trials.map((trial) => trialOf(`p${index}`, trial))),
  };
}

/** To which of the cases a trial of their batch belongs, and which of its trials it is. */
export function originOf(
  cases: readonly SchemaCase[],
  trial: number,
): { readonly index: number; readonly trial: number } {
  let left = trial;
  for (const [index, { trials }] of cases.entries()) {
    if (left < trials.length) return { index, trial: left };
    left -= trials.length;
  }
  throw new Error(`there is no trial ${trial}`);
}

function trialOf(field: string, { before, after }: Trial): Trial<Content> {
  const content = (v: unknown) => ({ spec: { [field]: { v } } });
  return { after: content(after), ...(before ? { before: { value: content(before.value) } } : {}) };
}
