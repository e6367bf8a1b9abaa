import type { ApiObject, Json } from '../objects/api-object.ts';
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

/** What is at a path of field names. */
export function valueAt(object: ApiObject, path: string): Json | undefined {
  return path
    .split('.')
    .reduce<Json | undefined>(
      (value, name) => (typeof value === 'object' && !Array.isArray(value) ? value?.[name] : undefined),
      object as unknown as Json,
    );
}

/** Fields of an object whose type nobody has written down. */
export type Fields = Readonly<Record<string, Json | undefined>>;

/** The list of objects at a path; empty when there is none. */
export function listAt(object: ApiObject, path: string): readonly Fields[] {
  return (valueAt(object, path) ?? []) as Fields[];
}

/** The first ones of a list, and how many more there are. */
export function firstOf(texts: readonly string[], shown: number, separator = ','): string {
  const first = texts.slice(0, shown).join(separator);
  return texts.length > shown ? `${first} + ${texts.length - shown} more...` : first;
}

/** A column that shows a field as text. */
export function textColumn(name: string, description: string, path: string, otherwise = ''): PrinterColumn {
  return column(name, description, (object) => String(valueAt(object, path) ?? otherwise));
}

/** A column that shows a number. */
export function numberColumn(name: string, description: string, path: string): PrinterColumn {
  return { ...column(name, description, (object) => Number(valueAt(object, path) ?? 0)), type: 'integer' };
}

/** A column that shows whether something is so. */
export function flagColumn(name: string, description: string, path: string, otherwise = false): PrinterColumn {
  return { ...column(name, description, (object) => (valueAt(object, path) as boolean) ?? otherwise), type: 'boolean' };
}

export const wide = (shown: PrinterColumn): PrinterColumn => ({ ...shown, priority: 1 });

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
