import { goQuote } from '../text/go-quote.ts';
import { isInt64 } from '../values/int64.ts';
import { typeInvalid } from './field-error.ts';
import type { Check, Walk } from './walk.ts';

/** JSON type and, for numbers, the format under which Go holds the value. */
export interface Kind {
  readonly type: 'null' | 'boolean' | 'string' | 'integer' | 'number' | 'array' | 'object';
  readonly format: string;
}

const KINDS = {
  null: { type: 'null', format: '' },
  boolean: { type: 'boolean', format: '' },
  string: { type: 'string', format: '' },
  integer: { type: 'integer', format: 'int64' },
  number: { type: 'number', format: 'float64' },
  array: { type: 'array', format: '' },
  object: { type: 'object', format: '' },
} as const satisfies Record<string, Kind>;

/** Whole numbers are integers, as far as they fit into 64 bits. */
export function kindOf(value: unknown): Kind {
  switch (typeof value) {
    case 'string':
      return KINDS.string;
    case 'boolean':
      return KINDS.boolean;
    case 'number':
      return isInt64(value) ? KINDS.integer : KINDS.number;
    default:
      if (value === null || value === undefined) return KINDS.null;
      return Array.isArray(value) ? KINDS.array : KINDS.object;
  }
}

/** Checks that a value has one of the types; a known format widens or narrows this as Kubernetes does. */
export function typeCheck(types: readonly string[], nullable: boolean, format: string): Check | undefined {
  if (types.length === 0 && format === '') return undefined;
  const isNumeric = types.includes('number') || types.includes('integer');
  const named = types.join(',');
  return (value, walk) => {
    const kind = kindOf(value);
    if (kind.type === 'null') {
      if (types.length === 0 || nullable) walk.match();
      else wrongType(walk, named, 'null');
      return;
    }
    const fits = types.includes(kind.type) || isWholeOrWidened(types, kind, value);
    const isText = kind.type === 'string' || kind.type === 'array';
    if (!isText && format !== '' && !fits && kind.format !== format) return wrongType(walk, format, kind.format);
    // A value of a formatted type is left to the format, which looks at strings only.
    if (fits || (!isNumeric && format !== '' && isText)) walk.match();
    else wrongType(walk, named, kind.type);
  };
}

function isWholeOrWidened(types: readonly string[], kind: Kind, value: unknown): boolean {
  if (kind.type === 'integer') return types.includes('number');
  return kind.type === 'number' && types.includes('integer') && isWhole(value as number);
}

/** Whether a float is whole, within the tolerance of the JSON library that Kubernetes uses: only just above a whole one. */
export function isWhole(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  if (value === whole) return true;
  return whole > 0 && (value - whole) / (value + whole) < 1e-9;
}

/** Reports that a value (shown by its type, or as it is when a format refused it) is not of the wanted type. */
export function wrongType(walk: Walk, wanted: string, found: string): void {
  const text = `${walk.path} in body must be of type ${wanted}: ${goQuote(found)}`;
  walk.report(text, typeInvalid(walk.fieldPath, found, text));
}
