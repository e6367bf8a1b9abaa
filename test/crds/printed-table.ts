import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import type { PlaneAccess } from '@klutch/kit';

/** A list as `kubectl get` prints it: headings, and the cells below them. Wide output has columns of any priority. */
export interface PrintedTable {
  readonly headings: readonly string[];
  readonly wideHeadings: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Asks the server for a list in the form that kubectl prints. */
export async function printedTable(plane: PlaneAccess, path: string): Promise<PrintedTable> {
  const { credentials } = plane.admin;
  const identity = 'token' in credentials ? {} : { cert: credentials.certificate, key: credentials.key };
  const authorization = 'token' in credentials ? { authorization: `Bearer ${credentials.token}` } : {};
  const sent = request(new URL(path, plane.url), {
    ca: plane.pki.certificate,
    ...identity,
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io', ...authorization },
    agent: false,
  }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const table = (await json(answer)) as ServerTable;
  const columns = table.columnDefinitions;
  return {
    headings: columns.filter(({ priority }) => priority === 0).map(({ name }) => name),
    wideHeadings: columns.map(({ name }) => name),
    rows: table.rows.map(({ cells }) => cells),
  };
}

interface ServerTable {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}
