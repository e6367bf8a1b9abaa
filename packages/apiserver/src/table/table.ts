import type { ApiObject } from '../objects/api-object.ts';
import { apiVersionOf, type PrinterColumn, type ServedResource } from '../registry/served-resource.ts';
import { badRequest } from '../status/status-error.ts';
import { type Cell, cellOf } from './cell.ts';
import { metadataOf, META_VERSION, type PartialObjectMetadata } from './partial-object-metadata.ts';

export interface TableOptions {
  /** What comes with each row: `Metadata`, `Object` or `None`. Default, also when empty: `Metadata`. */
  readonly includeObject?: string;
  /** Ages are counted up to here. */
  readonly now: Date;
  /** Metadata of the list. Default: the version of the only object, as for anything that is no list. */
  readonly listMetadata?: object;
  /** Whether the table says what its columns are; only in the first event of a watch. Default true. */
  readonly withColumns?: boolean;
}

/** Objects as kubectl shows them. */
export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: typeof META_VERSION;
  readonly metadata: object;
  readonly columnDefinitions: readonly ColumnDefinition[] | null;
  readonly rows: readonly {
    readonly cells: readonly Cell[];
    readonly object: PartialObjectMetadata | ApiObject | null;
  }[];
}

interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** Pure: rows for objects of a type. Objects of bookmarks, which have metadata only, give rows too. */
export function tableOf(resource: ServedResource, objects: readonly ApiObject[], options: TableOptions): Table {
  const columns = columnsOf(resource);
  const { includeObject, now, listMetadata, withColumns = true } = options;
  const shown = rowObject(includeObject || 'Metadata', apiVersionOf(resource), resource.kind);
  const { resourceVersion } = objects[0]?.metadata ?? {};
  return {
    kind: 'Table',
    apiVersion: META_VERSION,
    metadata: isEmpty(listMetadata) ? { resourceVersion } : listMetadata,
    columnDefinitions: withColumns ? columns.map(definitionOf) : null,
    rows: objects.map((object) => ({
      cells: columns.map((column) => cellOf(column, object, now)),
      object: shown(object),
    })),
  };
}

const INCLUDED: readonly string[] = ['Metadata', 'Object', 'None'];

/** Throws the 400 of Kubernetes for a choice that there is not. */
function rowObject(
  included: string,
  apiVersion: string,
  kind: string,
): (object: ApiObject) => PartialObjectMetadata | ApiObject | null {
  if (!INCLUDED.includes(included)) {
    const problem = `Invalid value: ${JSON.stringify(included)}: must be 'Metadata', 'Object', 'None', or empty`;
    throw badRequest(`Unable to convert to Table as requested: includeObject: ${problem}`);
  }
  if (included === 'None') return () => null;
  return included === 'Metadata' ? metadataOf : (object) => ({ ...object, apiVersion, kind });
}

const nameColumn: PrinterColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique for its type and, if it is in one, its namespace.',
  value: ({ metadata }) => metadata.name ?? '',
};

/** Custom resources start with their name; built-in kinds say where theirs is. */
function columnsOf({ builtIn, columns }: ServedResource): readonly PrinterColumn[] {
  return builtIn && columns.length > 0 ? columns : [nameColumn, ...columns];
}

function definitionOf({
  name,
  type,
  format = '',
  description,
  priority = 0,
  jsonPath,
}: PrinterColumn): ColumnDefinition {
  const said = description || `Custom resource definition column (in JSONPath format): ${jsonPath ?? ''}`;
  return { name, type, format, description: said, priority };
}

function isEmpty(metadata: object | undefined): metadata is undefined {
  return metadata === undefined || Object.keys(metadata).length === 0;
}
