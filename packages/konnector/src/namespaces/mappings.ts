import type { Mapping, NamespaceMap } from './namespace-map.ts';

/** The part of a {@link NamespaceMap} that its owner writes to. */
export interface Mappings extends NamespaceMap {
  /** Takes in what is now known of a namespace and tells everybody, if it is news. */
  put(appNamespace: string, mapping: Mapping): void;
}

const unknown: Mapping = { state: 'unknown' };

/** An empty map; `wanted` is told of every namespace for which a mapping is asked. */
export function createMappings(wanted: (appNamespace: string) => void): Mappings {
  const known = new Map<string, Mapping>();
  const appNamespaces = new Map<string, string>();
  const subscribers = new Set<(appNamespace: string) => void>();

  function put(appNamespace: string, mapping: Mapping): void {
    const before = known.get(appNamespace) ?? unknown;
    if (isSame(before, mapping)) return;
    const left = placeOf(before);
    if (left !== undefined && appNamespaces.get(left) === appNamespace) appNamespaces.delete(left);
    const place = placeOf(mapping);
    if (place !== undefined) appNamespaces.set(place, appNamespace);
    if (mapping.state === 'unknown') known.delete(appNamespace);
    else known.set(appNamespace, mapping);
    for (const tell of subscribers) tell(appNamespace);
  }

  function* entries(): Iterable<readonly [string, string]> {
    for (const [appNamespace, mapping] of known) {
      const place = placeOf(mapping);
      if (place !== undefined) yield [appNamespace, place];
    }
  }

  return {
    put,
    entries,
    of: (appNamespace) => known.get(appNamespace) ?? unknown,
    appNamespaceOf: (serviceNamespace) => appNamespaces.get(serviceNamespace),
    want: wanted,
    subscribe: (changed) => {
      // A subscription of its own, also for a function that is subscribed already.
      const tell = (appNamespace: string) => changed(appNamespace);
      subscribers.add(tell);
      for (const appNamespace of known.keys()) tell(appNamespace);
      return () => {
        subscribers.delete(tell);
      };
    },
  };
}

function placeOf(mapping: Mapping): string | undefined {
  return mapping.state === 'ready' || mapping.state === 'ending' ? mapping.serviceNamespace : undefined;
}

function isSame(a: Mapping, b: Mapping): boolean {
  return (
    a.state === b.state &&
    placeOf(a) === placeOf(b) &&
    ('problem' in a ? a.problem : undefined) === ('problem' in b ? b.problem : undefined)
  );
}
