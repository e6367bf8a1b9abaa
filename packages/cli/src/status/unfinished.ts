import { appCluster as names } from '@klutch/api';
import type { Connection } from '../connections/find-connections.ts';
import type { SavedBinding } from '../upgrade/saved-bindings.ts';
import type { Report } from './status-of.ts';

/** What a command began and did not finish, because it was interrupted or killed. */
export interface Unfinished {
  /** The APIs it is about, as far as they are known. */
  readonly apis: readonly string[];
  /** What is unfinished, and how to finish or undo it. */
  readonly message: string;
}

/** What is known when unfinished work is looked for. */
export interface Traces {
  readonly connections: readonly { readonly connection: Connection; readonly report: Report }[];
  /** Bindings that an upgrade has saved; undefined when no upgrade is unfinished. */
  readonly saved?: readonly SavedBinding[];
}

/** Pure: everything that is neither bound nor unbound, or neither of the old version nor of the new one. */
export function unfinishedOf({ connections, saved }: Traces): readonly Unfinished[] {
  const upgrade = saved === undefined ? [] : [unfinishedUpgrade(saved)];
  return [...upgrade, ...connections.flatMap(({ connection, report }) => unfinishedIn(connection, report))];
}

function unfinishedUpgrade(saved: readonly SavedBinding[]): Unfinished {
  const apis = saved.map(({ metadata }) => metadata.name ?? '');
  const which = apis.length === 0 ? '' : ` (bindings not created yet: ${apis.join(', ')})`;
  return {
    apis,
    message: `The upgrade of this app cluster is not finished${which}, and its konnector may be scaled to zero. Run \`klutch upgrade\` again.`,
  };
}

function unfinishedIn(connection: Connection, report: Report): readonly Unfinished[] {
  const { bindings, unbinding = [], config, secretName } = connection;
  const bound = new Set(bindings.map(({ metadata }) => metadata.name ?? ''));
  const exports = 'exports' in report ? report.exports : [];
  const exported = exports.filter((api) => !bound.has(api) && !unbinding.includes(api));
  const isUnused = bound.size === 0 && unbinding.length === 0 && exported.length === 0 && config !== undefined;
  return [
    ...unbinding.map((api) => ({
      apis: [api],
      message: `Unbinding ${api} is not finished. Run \`klutch unbind ${api}\` again.`,
    })),
    ...exported.map((api) => ({
      apis: [api],
      message: `The control plane exports ${api} to this app cluster, but it is not bound here. Run \`${bindAgain(connection)}\` again to bind it, or \`klutch unbind ${api}\` to return it.`,
    })),
    ...(isUnused
      ? [
          {
            apis: [],
            message: `Nothing is bound with the credential in Secret ${names.namespace}/${secretName}. Run \`${bindAgain(connection)}\` to bind APIs, or \`klutch unbind --all\` to end the registration of this app cluster.`,
          },
        ]
      : []),
  ];
}

function bindAgain({ backendUrl = '<provider-url>' }: Connection): string {
  return `klutch bind ${backendUrl}`;
}
