import type { PrinterColumn } from './exported-version.ts';

/** Time since the object was created, in the form kubectl shows for every kind. */
export const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** A field of the condition of the given type. */
export function conditionColumn(
  name: string,
  type: string,
  field: 'status' | 'message',
  priority?: number,
): PrinterColumn {
  return {
    name,
    type: 'string',
    ...(priority === undefined ? {} : { priority }),
    jsonPath: `.status.conditions[?(@.type=="${type}")].${field}`,
  };
}

/** Status of the condition `Ready`. */
export const ready: PrinterColumn = conditionColumn('Ready', 'Ready', 'status');
