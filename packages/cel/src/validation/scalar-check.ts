import { codePoints } from '../text/code-points.ts';
import { compilePattern } from '../patterns/pattern.ts';
import type { Formats } from '../formats/formats.ts';
import { goFloat, goInt } from '../text/go-number.ts';
import { isInt64 } from '../values/int64.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { invalid, tooLong } from './field-error.ts';
import { isWhole, wrongType } from './type-check.ts';
import type { Check, Walk } from './walk.ts';

/** Length and pattern of a string; the first that fails is reported. */
export function stringCheck({ maxLength, minLength, pattern }: JsonSchema): Check | undefined {
  if (maxLength === undefined && minLength === undefined && !pattern) return undefined;
  const compiled = pattern ? compilePattern(pattern) : undefined;
  return (value, walk) => {
    const text = value as string;
    // Characters are counted as code points; a string has at least half as many of them as it has units.
    const length = maxLength === undefined && minLength === undefined ? 0 : codePoints(text);
    if (maxLength !== undefined && length > maxLength) {
      walk.report(`${walk.path} in body should be at most ${maxLength} chars long`, tooLong(walk.fieldPath, maxLength));
    } else if (minLength !== undefined && length < minLength) {
      refuse(walk, value, `should be at least ${minLength} chars long`);
    } else if (compiled && !compiled.test(text)) {
      refuse(walk, value, `should match '${pattern}'`);
    }
  };
}

/** Formats apply to strings only; those nobody knows say nothing. */
export function formatCheck(format: string, formats: Formats): Check | undefined {
  const isValid = formats.get(format);
  if (!isValid) return undefined;
  return (value, walk) => {
    if (!isValid(value as string)) wrongType(walk, format, value as string);
  };
}

/** Bounds of a number. For a whole number, bounds lose their fraction first, as they do in Kubernetes. */
export function numberCheck(schema: JsonSchema): Check {
  const { maximum, minimum, multipleOf, exclusiveMaximum, exclusiveMinimum } = schema;
  return (value, walk) => {
    const data = value as number;
    const { bound, write } = isInt64(data) ? WHOLE : FRACTIONAL;
    if (multipleOf !== undefined) checkMultiple(walk, data, bound(multipleOf));
    if (minimum !== undefined) {
      const limit = bound(minimum);
      const words = exclusiveMinimum ? 'greater than' : 'greater than or equal to';
      if (data < limit || (exclusiveMinimum && data === limit))
        refuse(walk, data, `should be ${words} ${write(limit)}`);
    }
    if (maximum !== undefined) {
      const limit = bound(maximum);
      const words = exclusiveMaximum ? 'less than' : 'less than or equal to';
      if (data > limit || (exclusiveMaximum && data === limit))
        refuse(walk, data, `should be ${words} ${write(limit)}`);
    }
    walk.match();
  };
}

/** How a bound is read and written for the two kinds of numbers. */
const WHOLE = { bound: Math.trunc, write: goInt };
const FRACTIONAL = { bound: (limit: number) => limit, write: goFloat };

function checkMultiple(walk: Walk, data: number, factor: number): void {
  const { write } = isInt64(data) ? WHOLE : FRACTIONAL;
  if (factor <= 0) {
    const text = `factor MultipleOf declared for ${walk.path} must be positive: ${write(factor)}`;
    walk.report(text, invalid(walk.fieldPath, factor, text));
    return;
  }
  const quotient = isInt64(data) || factor >= 1 ? data / factor : (1 / factor) * data;
  const isMultiple = isInt64(data) ? data % factor === 0 : isWhole(quotient);
  if (!isMultiple) refuse(walk, data, `should be a multiple of ${write(factor)}`);
}

/** Reports a value with Kubernetes' "in body" wording. */
export function refuse(walk: Walk, value: unknown, complaint: string): void {
  const text = `${walk.path} in body ${complaint}`;
  walk.report(text, invalid(walk.fieldPath, value, text));
}
