import { goJson } from '../text/go-json.ts';
import { goNumber } from '../text/go-number.ts';
import { goQuote } from '../text/go-quote.ts';

/** One problem with one field, as Kubernetes reports it in `details.causes`. */
export interface FieldCause {
  /** `FieldValueInvalid`, `FieldValueRequired`, `FieldValueForbidden`, `FieldValueNotSupported`, … */
  readonly reason: string;
  /** Without the field, for example `Invalid value: "x": must be at least 3 chars long`. */
  readonly message: string;
  /** Path such as `spec.size` or `spec.items[0].name`. */
  readonly field: string;
}

/** The machine-readable reason of a field error and the words that begin its message. */
const WORDS = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  InternalError: 'Internal error',
} as const;

type FieldErrorReason = keyof typeof WORDS;

/** Stands for a value that the message does not show, because it may be large. */
export const OMITTED: unique symbol = Symbol('omitted');

/** A value that is shown by a text of its own. */
export class ShownAs {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function required(field: string, detail = ''): FieldCause {
  return build('FieldValueRequired', field, '', detail);
}

export function forbidden(field: string, detail: string): FieldCause {
  return build('FieldValueForbidden', field, '', detail);
}

export function invalid(field: string, value: unknown, detail: string): FieldCause {
  return build('FieldValueInvalid', field, shown(value), detail);
}

export function typeInvalid(field: string, value: unknown, detail: string): FieldCause {
  return build('FieldValueTypeInvalid', field, shown(value), detail);
}

export function duplicate(field: string, value: unknown): FieldCause {
  return build('FieldValueDuplicate', field, shown(value), '');
}

export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldCause {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  return build('FieldValueNotSupported', field, shown(value), detail);
}

export function tooLong(field: string, maxLength: number): FieldCause {
  return build(
    'FieldValueTooLong',
    field,
    '',
    `may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`,
  );
}

export function tooMany(field: string, actual: number, max: number): FieldCause {
  return build('FieldValueTooMany', field, shown(actual), `must have at most ${max} ${max === 1 ? 'item' : 'items'}`);
}

export function internalError(field: string, detail: string): FieldCause {
  return build('InternalError', field, '', detail);
}

function build(reason: FieldErrorReason, field: string, value: string, detail: string): FieldCause {
  const message = WORDS[reason] + value + (detail === '' ? '' : `: ${detail}`);
  return { reason, message, field: field === '' ? '<nil>' : field };
}

function shown(value: unknown): string {
  if (value === OMITTED) return '';
  if (value instanceof ShownAs) return `: ${value.text}`;
  switch (typeof value) {
    case 'number':
      return `: ${goNumber(value)}`;
    case 'string':
      return `: ${goQuote(value)}`;
    case 'boolean':
      return `: ${value}`;
    default:
      return `: ${goJson(value)}`;
  }
}

/** The one text of a field error, as it stands in the message of a Status and as errors are compared. */
export function errorText({ field, message }: FieldCause): string {
  return `${field}: ${message}`;
}
