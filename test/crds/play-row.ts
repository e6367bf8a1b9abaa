import type { PlaneAccess } from '@klutch/kit';
import { createNamespace } from '@klutch/kit/vitest';
import { changed } from './changed.ts';
import type { Row } from './row.ts';
import type { Table } from './table.ts';

/** What the API server said: the stored object, or a Status. */
export interface Answer {
  readonly status: number;
  readonly body: {
    readonly message?: string;
    readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
    readonly [field: string]: unknown;
  };
}

/**
 * Sends what a row describes and returns the answer to its last request. Unknown fields are refused, so that an
 * accepted object also proves that the schema knows all its fields.
 */
export async function playRow(plane: PlaneAccess, table: Table, row: Row): Promise<Answer> {
  const objects = await collectionOf(plane, table);
  if (row.does === 'create') return send(plane, 'POST', objects, changed(table.plain, row.changes));
  const given = row.does === 'update' ? row.given : {};
  const { status, body: stored } = await send(plane, 'POST', objects, changed(table.plain, given));
  if (status !== 201) throw new Error(`the row starts from an object that is refused: ${stored.message}`);
  const object = `${objects}/${table.plain.metadata.name}`;
  if (row.does === 'report') return send(plane, 'PUT', `${object}/status`, { ...stored, status: row.status });
  return send(plane, 'PUT', object, changed(stored, row.changes));
}

/** A new namespace for each row, as the names of many kinds are fixed; none for cluster-scoped kinds. */
async function collectionOf(plane: PlaneAccess, { crd }: Table): Promise<string> {
  const { group, names, scope } = crd.spec;
  const root = `/apis/${group}/v1alpha1`;
  if (scope === 'Cluster') return `${root}/${names.plural}`;
  return `${root}/namespaces/${await createNamespace(plane, 'row')}/${names.plural}`;
}

function send(plane: PlaneAccess, method: string, path: string, body: unknown): Promise<Answer> {
  return plane.admin.request<Answer['body']>(method, `${path}?fieldValidation=Strict`, { body });
}
