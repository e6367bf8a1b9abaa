import { type APIServiceBinding, findCondition } from '@klutch/api';
import { apiVersionOf, type KubeClient, type ResourceType } from '@klutch/kube';
import type { Result } from '../terminal/output.ts';
import { refOf } from './wait-ready.ts';

/** The bindings as they are now, as a result of the command: rows as the API server prints them. */
export async function bindingResults(
  client: KubeClient,
  type: ResourceType<APIServiceBinding>,
  apis: readonly string[],
  signal: AbortSignal,
): Promise<Result> {
  const items = await Promise.all(apis.map((api) => client.resource(type).get(refOf(type, api), { signal })));
  const tables = await Promise.all(apis.map((api) => printedTable(client, type, api, signal)));
  const columns = tables.find((table) => table !== undefined)?.columns ?? ownColumns;
  const rows = items.map((item, at) => tables[at]?.row ?? ownRow(item));
  const name = (item: APIServiceBinding) => `apiservicebinding.${type.group}/${item.metadata.name}`;
  return {
    table: { columns, rows: items.map((item, at) => [name(item), ...(rows[at] ?? []).slice(1)]) },
    document: { apiVersion: 'v1', kind: 'List', items: items.map(withoutManagers) },
    names: items.map(name),
  };
}

const ownColumns = ['Name', 'Provider', 'Ready', 'Message'];

function ownRow({ metadata, status }: APIServiceBinding): readonly string[] {
  const ready = findCondition(status?.conditions, 'Ready');
  return [metadata.name ?? '', status?.providerPrettyName ?? '', ready?.status ?? '', ready?.message ?? ''];
}

interface PrintedTable {
  readonly kind?: string;
  readonly columnDefinitions?: readonly { readonly name: string; readonly priority?: number }[];
  readonly rows?: readonly { readonly cells: readonly unknown[] }[];
}

async function printedTable(
  client: KubeClient,
  type: ResourceType<APIServiceBinding>,
  api: string,
  signal: AbortSignal,
): Promise<{ readonly columns: readonly string[]; readonly row: readonly string[] } | undefined> {
  const { namespace } = refOf(type, api);
  const place = namespace === undefined ? '' : `namespaces/${namespace}/`;
  const table = await client.transport.json<PrintedTable>({
    method: 'GET',
    path: `/apis/${apiVersionOf(type)}/${place}${type.plural}/${api}`,
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' },
    mode: 'call',
    signal,
    about: { verb: 'get', resource: `${type.group}/${type.plural}`, object: `binding "${api}"` },
  });
  const [row] = table.rows ?? [];
  if (table.kind !== 'Table' || row === undefined) return undefined;
  const shown = (table.columnDefinitions ?? []).map(({ priority = 0 }) => priority === 0);
  const texts = row.cells.map((cell) => (cell === null || cell === undefined ? '' : String(cell)));
  return {
    columns: (table.columnDefinitions ?? []).map(({ name }) => name).filter((_, at) => shown[at]),
    row: texts.filter((_, at) => shown[at]),
  };
}

/** As kubectl leaves them away. */
function withoutManagers(item: APIServiceBinding): APIServiceBinding {
  const { managedFields: _, ...metadata } = item.metadata;
  return { ...item, metadata };
}
