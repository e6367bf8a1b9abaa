import { readBase64 } from './base64.ts';
import type { Form } from './go-type.ts';
import { canonicalQuantity } from './quantity.ts';
import { readTime } from './time-text.ts';

/** A scalar as it is stored, or what is wrong with it: its content, or its kind. */
export type Read = string | number | boolean | { readonly problem: string } | WrongKind;

export interface WrongKind {
  /** What was found, when its JSON kind does not say it all. */
  readonly shown?: string;
  /** What was expected, when that is not the type itself. */
  readonly wanted?: string;
}

/** How the JSON of each form is read. */
export const scalarForms: Readonly<Record<Form, (content: unknown) => Read>> = {
  text: (content) => (typeof content === 'string' ? content : wrongKind),
  boolean: (content) => (typeof content === 'boolean' ? content : wrongKind),
  number: (content) => (typeof content === 'number' ? content : wrongKind),
  int32: (content) => readInteger(content, 2 ** 31),
  int64: (content) => readInteger(content, 2 ** 63),
  bytes: (content) => (typeof content === 'string' ? readBase64(content) : wrongKind),
  time: (content) => (typeof content === 'string' ? readTime(content, 0) : noText),
  microTime: (content) => (typeof content === 'string' ? readTime(content, 6) : noText),
  quantity: readQuantity,
  intOrString: readIntOrString,
};

const wrongKind: WrongKind = {};
/** Types that read themselves expect something else than they are. */
const noText: WrongKind = { wanted: 'string' };

function readInteger(content: unknown, limit: number): Read {
  if (typeof content !== 'number') return wrongKind;
  const fits = Number.isInteger(content) && content >= -limit && content < limit;
  return fits ? content : { shown: `number ${content}` };
}

function readQuantity(content: unknown): Read {
  if (typeof content !== 'string' && typeof content !== 'number') {
    return { problem: QUANTITY_PROBLEM };
  }
  return canonicalQuantity(String(content).trim()) ?? { problem: QUANTITY_PROBLEM };
}

const QUANTITY_PROBLEM = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function readIntOrString(content: unknown): Read {
  if (typeof content === 'string') return content;
  const read = readInteger(content, 2 ** 31);
  return typeof read === 'object' ? { ...read, wanted: 'int32' } : read;
}
