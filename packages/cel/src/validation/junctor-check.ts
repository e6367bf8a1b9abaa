import { goQuote } from '../text/go-quote.ts';
import { invalid } from './field-error.ts';
import type { Check, Findings, Walk } from './walk.ts';

/** The checks of `allOf`, `anyOf`, `oneOf` and `not`. */
export interface Junctors {
  readonly allOf: readonly Check[];
  readonly anyOf: readonly Check[];
  readonly oneOf: readonly Check[];
  readonly not: Check | undefined;
}

export function junctorCheck({ allOf, anyOf, oneOf, not }: Junctors): Check | undefined {
  if (allOf.length === 0 && anyOf.length === 0 && oneOf.length === 0 && !not) return undefined;
  return (value, walk) => {
    if (anyOf.length > 0) checkAny(anyOf, value, walk);
    if (oneOf.length > 0) checkOne(oneOf, value, walk);
    if (allOf.length > 0) checkAll(allOf, value, walk);
    if (not && isValid(walk.attempt(value, not))) complain(walk, 'must not validate the schema (not)');
    walk.match();
  };
}

function checkAny(alternatives: readonly Check[], value: unknown, walk: Walk): void {
  let best: Findings | undefined;
  for (const check of alternatives) {
    const found = walk.attempt(value, check);
    if (isValid(found)) return walk.merge(found);
    if (!best || found.matches > best.matches) best = found;
  }
  complain(walk, 'must validate at least one schema (anyOf)');
  if (best) walk.merge(best);
}

function checkOne(alternatives: readonly Check[], value: unknown, walk: Walk): void {
  const findings = alternatives.map((check) => walk.attempt(value, check));
  const valid = findings.filter(isValid);
  const [only] = valid;
  if (only && valid.length === 1) return walk.merge(only);
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  complain(walk, `must validate one and only one schema (oneOf). ${found}`);
  if (valid.length === 0) walk.merge(mostMatches(findings));
}

function checkAll(parts: readonly Check[], value: unknown, walk: Walk): void {
  const findings = parts.map((check) => walk.attempt(value, check));
  for (const found of findings) walk.merge(found);
  const valid = findings.filter(isValid).length;
  if (valid === parts.length) return;
  complain(walk, `must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
}

const isValid = ({ problems }: Findings) => problems.length === 0;

const mostMatches = (findings: readonly Findings[]): Findings =>
  findings.reduce((best, found) => (found.matches > best.matches ? found : best));

/** Complaints about junctors name the place in their text only; their field is that of the whole object. */
function complain(walk: Walk, complaint: string): void {
  const text = `${goQuote(walk.path)} ${complaint}`;
  walk.report(text, invalid('', '', text));
}
