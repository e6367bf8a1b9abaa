import type { ApiObject } from '../objects/api-object.ts';
import type { PrinterColumn } from '../registry/served-resource.ts';
import { ageSince } from '../table/duration.ts';

/** Columns that built-in kinds have in common. Objects of bookmarks have nothing but metadata. */

type Cell = ReturnType<NonNullable<PrinterColumn['value']>>;

/** A column whose cells are computed. */
export function column<Kind extends ApiObject>(
  name: string,
  description: string,
  value: (object: Kind, now: Date) => Cell,
  options: Pick<PrinterColumn, 'priority' | 'type' | 'format'> | Record<string, never> = {},
): PrinterColumn {
  return { name, description, type: 'string', ...options, value: value as PrinterColumn['value'] };
}

/** The same, shown with `-o wide` only. */
export function wideColumn<Kind extends ApiObject>(
  name: string,
  description: string,
  value: (object: Kind, now: Date) => Cell,
): PrinterColumn {
  return { ...column(name, description, value), priority: 1 };
}

export const nameColumn: PrinterColumn = {
  ...column('Name', 'Name of the object.', ({ metadata }) => metadata.name ?? ''),
  format: 'name',
};

export const ageColumn = column('Age', 'How long ago the object was created.', ({ metadata }, now) =>
  ageSince(metadata.creationTimestamp, now),
);

/** When the object was created, as a time; for kinds that Kubernetes has no better columns for. */
export const createdAtColumn: PrinterColumn = {
  ...column('Created At', 'When the object was created.', ({ metadata }) => metadata.creationTimestamp ?? null),
  type: 'date',
};
