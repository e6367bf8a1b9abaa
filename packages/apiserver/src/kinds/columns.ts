import type { ApiObject } from '../objects/api-object.ts';
import type { PrinterColumn } from '../registry/served-resource.ts';
import { ageSince } from '../table/duration.ts';

/** Columns that built-in kinds have in common. Objects of bookmarks have nothing but metadata. */

/** What is known of an object in a bookmark. */
export type Shown<Kind> = ApiObject & { readonly [Field in keyof Kind]?: Kind[Field] };

type Cell = ReturnType<NonNullable<PrinterColumn['value']>>;

/** A column whose cells are computed. */
export function column(
  name: string,
  description: string,
  value: (object: ApiObject, now: Date) => Cell,
): PrinterColumn {
  return { name, description, type: 'string', value };
}

/** The same, shown with `-o wide` only. */
export function wideColumn(
  name: string,
  description: string,
  value: (object: ApiObject, now: Date) => Cell,
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
