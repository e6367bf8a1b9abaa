import { type APIServiceBinding, KlutchError } from '@klutch/api';
import type { Connection } from '../connections/find-connections.ts';
import type { Report } from '../status/status-of.ts';

/** An API that is to be unbound. */
export interface UnbindTarget {
  readonly api: string;
  readonly connection: Connection;
  /** Absent when only the rest is left to do: an earlier run has deleted the binding, or a bind has not created it. */
  readonly binding?: APIServiceBinding;
}

/**
 * What there is to unbind of these APIs: what is bound, what an earlier run began to unbind, and what a control plane exports although it
 * is not bound here. `ask` is called only where the first two do not say. Throws `KLUTCH_USAGE` for anything else.
 */
export async function unbindTargets(
  apis: readonly string[],
  connections: readonly Connection[],
  ask: (connection: Connection) => Promise<Report>,
): Promise<readonly UnbindTarget[]> {
  const known = [...new Set(apis)].map((api) => ({ api, target: boundTarget(api, connections) }));
  const isComplete = known.every(({ target }) => target !== undefined);
  const exports = isComplete ? [] : await exportsOf(connections, ask);
  return known.map(({ api, target }) => {
    if (target !== undefined) return target;
    const connection = exports.find(({ exported }) => exported.includes(api))?.connection;
    if (connection !== undefined) return { api, connection };
    throw notBound(api, connections);
  });
}

/**
 * Pure: targets by connection. What an earlier run began to unbind through the same connection, and whose binding is gone, is finished as
 * well.
 */
export function byConnection(targets: readonly UnbindTarget[]): ReadonlyMap<Connection, readonly UnbindTarget[]> {
  const groups = new Map<Connection, readonly UnbindTarget[]>();
  for (const connection of new Set(targets.map((target) => target.connection))) {
    const asked = targets.filter((target) => target.connection === connection);
    const named = new Set([
      ...asked.map(({ api }) => api),
      ...connection.bindings.map(({ metadata }) => metadata.name),
    ]);
    const begun = (connection.unbinding ?? []).filter((api) => !named.has(api));
    groups.set(connection, [...asked, ...begun.map((api) => ({ api, connection }))]);
  }
  return groups;
}

/** Pure: everything that is bound, or whose unbinding began, by connection. Connections without any of it are included. */
export function allTargets(connections: readonly Connection[]): ReadonlyMap<Connection, readonly UnbindTarget[]> {
  return new Map(
    connections.map((connection) => {
      const { bindings, unbinding = [] } = connection;
      const bound = bindings.map((binding) => ({ api: binding.metadata.name ?? '', connection, binding }));
      const begun = unbinding.filter((name) => !bound.some(({ api }) => api === name));
      return [connection, [...bound, ...begun.map((api) => ({ api, connection }))]];
    }),
  );
}

function boundTarget(api: string, connections: readonly Connection[]): UnbindTarget | undefined {
  for (const connection of connections) {
    const binding = connection.bindings.find(({ metadata }) => metadata.name === api);
    if (binding) return { api, connection, binding };
  }
  const begun = connections.find(({ unbinding = [] }) => unbinding.includes(api));
  return begun && { api, connection: begun };
}

async function exportsOf(connections: readonly Connection[], ask: (connection: Connection) => Promise<Report>) {
  return Promise.all(
    connections.map(async (connection) => {
      const report = await ask(connection);
      return { connection, exported: 'exports' in report ? report.exports : [] };
    }),
  );
}

function notBound(api: string, connections: readonly Connection[]): KlutchError {
  const known = connections.flatMap(({ bindings }) => bindings.map(({ metadata }) => metadata.name)).join(', ');
  const choice = known === '' ? 'Nothing is bound here.' : `Choose one of: ${known}.`;
  return new KlutchError('KLUTCH_USAGE', `Cannot unbind ${api}: it is not bound here. ${choice}`);
}
