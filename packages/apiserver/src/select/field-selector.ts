import { goQuote } from '@klutch/cel';
import { badRequest } from '../status/status-error.ts';
import type { Entry } from '../storage/types.ts';
import { type FieldTerm, fieldTermText } from './field-terms.ts';
import { fieldReader, type SelectableType } from './selectable-fields.ts';

/** Which fields are wanted; all terms must hold. */
export interface FieldSelector {
  /** Whether everything is wanted. */
  readonly isEmpty: boolean;
  matches(entry: Entry): boolean;
  /** The one value that a field must have, if the selector says so. */
  exactly(field: string): string | undefined;
  /** As a client would write it. */
  toString(): string;
}

/** Wants every object. */
export const everyField: FieldSelector = {
  isEmpty: true,
  matches: () => true,
  exactly: () => undefined,
  toString: () => '',
};

/** A selector for objects of a type. Throws the 400 of Kubernetes for fields that the type cannot be selected by. */
export function fieldSelector(terms: readonly FieldTerm[], type: SelectableType): FieldSelector {
  if (terms.length === 0) return everyField;
  const conditions = terms.map((term) => {
    const read = fieldReader(term.field, type);
    if (!read) throw badRequest(unsupported(term.field, type));
    return (entry: Entry) => (read(entry) === term.value) === (term.operator === '=');
  });
  return {
    isEmpty: false,
    matches: (entry) => conditions.every((holds) => holds(entry)),
    exactly: (field) => terms.find((term) => term.field === field && term.operator === '=')?.value,
    toString: () => terms.map(fieldTermText).join(','),
  };
}

/** Kubernetes has different words for types that know no fields but the common ones. */
function unsupported(field: string, { builtIn, selectableFields }: SelectableType): string {
  const knowsMore = !builtIn || Object.keys(selectableFields).length > 0;
  if (knowsMore) return `field label not supported: ${field}`;
  return `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}
