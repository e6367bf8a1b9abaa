import { goQuote } from '@klutch/cel';
import type { FieldCause } from '../status/status-error.ts';

/** Field errors about structs, whose fields Go shows in the order in which they are declared. */

export function invalidStruct(field: string, value: object | null, detail: string): FieldCause {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(value)}: ${detail}` };
}

export function duplicateStruct(field: string, value: object): FieldCause {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${JSON.stringify(value)}` };
}

export function unsupportedStruct(field: string, value: object, supported: readonly string[]): FieldCause {
  const choices = supported.map(goQuote).join(', ');
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${choices}`;
  return { reason: 'FieldValueNotSupported', field, message };
}
