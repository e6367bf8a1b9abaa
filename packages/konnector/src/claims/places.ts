import {
  type Change,
  type InformerShare,
  type KubeErrorCode,
  keyOf,
  type ObjectRef,
  type ResourceType,
  type Selection,
  type UnknownObject,
} from '@klutch/kube';
import type { Link } from '../link/link.ts';
import type { NamespaceMap } from '../namespaces/namespace-map.ts';
import type { Owner } from './copy-marks.ts';
import type { Rule } from './rule.ts';
import { providerCopies, watchesFor } from './watch-plan.ts';

/** An app namespace with its place on the control plane, watched on both sides. */
export interface Place {
  readonly appNamespace: string;
  readonly serviceNamespace: string;
  readonly ending: boolean;
  /** Both sides have been seen. */
  readonly isSeen: boolean;
}

export interface PlacesOptions {
  readonly link: Link;
  readonly types: { readonly app: ResourceType; readonly controlPlane: ResourceType };
  readonly namespaces: NamespaceMap;
  /** Told of every pair that may have to be looked after, by app namespace and name. */
  readonly changed: (ref: Required<ObjectRef>) => void;
  /** Told of every change that a watch delivers. */
  readonly delivered: (side: Owner, change: Change<UnknownObject>) => void;
  /** Told of a place that is watched no longer. */
  readonly left: (place: Place) => void;
}

/** What is watched for the claims on one type: mapped namespaces only, each on its own. */
export interface Places {
  of(appNamespace: string): Place | undefined;
  /** The object as the watches of that side know it. */
  cached(side: Owner, ref: ObjectRef): UnknownObject | undefined;
  /** Objects on the control plane in a service namespace that has been seen. */
  onControlPlane(serviceNamespace: string): Iterable<UnknownObject>;
  /** Changes what is watched in the app cluster, and has everything looked at again. */
  follow(rules: readonly Rule[]): void;
  /** Why something cannot be watched, in sentences. */
  problems(): readonly string[];
  close(): void;
}

export function openPlaces({ link, types, namespaces, changed, delivered, left }: PlacesOptions): Places {
  const places = new Map<string, OpenPlace>();
  let rules: readonly Rule[] = [];
  const copies = watch('app', providerCopies, 'Consumer', () => {
    for (const place of places.values()) changedAll(place);
  });
  const unsubscribe = namespaces.subscribe(refresh);

  function watch(cluster: 'app' | 'controlPlane', selection: Selection, side: Owner, seen: () => void): Watched {
    const share = link[cluster].informers.acquire({ ...selection, type: types[cluster] });
    const end = share.informer.subscribe((change) => {
      delivered(side, change);
      const { namespace = '', name = '' } = change.object.metadata;
      const appNamespace = side === 'Consumer' ? namespace : namespaces.appNamespaceOf(namespace);
      if (appNamespace !== undefined && places.get(appNamespace)?.isSeen) changed({ namespace: appNamespace, name });
    });
    let isOpen = true;
    share.informer.synced.then(
      () => isOpen && seen(),
      () => {},
    );
    return {
      share,
      selection,
      end: () => {
        isOpen = false;
        end();
        share.release();
      },
    };
  }

  /** Opens, keeps or closes the place of a namespace, as the map says. */
  function refresh(appNamespace: string): void {
    const mapping = namespaces.of(appNamespace);
    const isPlaced = mapping.state === 'ready' || mapping.state === 'ending';
    const serviceNamespace = isPlaced ? mapping.serviceNamespace : undefined;
    const open = places.get(appNamespace);
    if (open !== undefined && open.serviceNamespace !== serviceNamespace) shut(open);
    if (serviceNamespace === undefined) return;
    const place = places.get(appNamespace) ?? openPlace(appNamespace, serviceNamespace);
    place.ending = mapping.state === 'ending';
    changedAll(place);
  }

  function openPlace(appNamespace: string, serviceNamespace: string): OpenPlace {
    const seen = () => changedAll(place);
    const place: OpenPlace = {
      appNamespace,
      serviceNamespace,
      ending: false,
      original: watch('controlPlane', { namespace: serviceNamespace }, 'Provider', seen),
      local: new Map(),
      get isSeen() {
        const own = [copies, place.original, ...place.local.values()];
        return own.every(({ share }) => share.informer.hasSynced);
      },
    };
    places.set(appNamespace, place);
    watchLocally(place);
    return place;
  }

  /** Brings the watches in the app namespace to what the rules need. */
  function watchLocally(place: OpenPlace): void {
    const wanted = new Map(watchesFor(rules, place.appNamespace).map((one) => [JSON.stringify(one), one]));
    for (const [key, watched] of place.local) {
      if (wanted.has(key)) continue;
      place.local.delete(key);
      watched.end();
    }
    for (const [key, selection] of wanted) {
      if (place.local.has(key)) continue;
      place.local.set(
        key,
        watch('app', selection, 'Consumer', () => changedAll(place)),
      );
    }
  }

  function shut(place: OpenPlace): void {
    places.delete(place.appNamespace);
    place.original.end();
    for (const watched of place.local.values()) watched.end();
    left(place);
  }

  function changedAll(place: OpenPlace): void {
    if (!place.isSeen) return;
    const names = new Set<string>();
    for (const key of place.original.share.informer.cache.keys()) names.add(nameIn(key));
    for (const { share } of [copies, ...place.local.values()]) {
      for (const key of share.informer.cache.keys()) {
        if (key.startsWith(`${place.appNamespace}/`)) names.add(nameIn(key));
      }
    }
    for (const name of names) changed({ namespace: place.appNamespace, name });
  }

  function cached(side: Owner, ref: ObjectRef): UnknownObject | undefined {
    const appNamespace = side === 'Consumer' ? ref.namespace : namespaces.appNamespaceOf(ref.namespace ?? '');
    const place = places.get(appNamespace ?? '');
    if (place === undefined) return undefined;
    const watched = side === 'Provider' ? [place.original] : [...place.local.values(), copies];
    const found = watched.flatMap(({ share }) => share.informer.cache.getByKey(keyOf(ref)) ?? []);
    return found.reduce<UnknownObject | undefined>((newest, one) => (isNewer(newest, one) ? newest : one), undefined);
  }

  function problems(): readonly string[] {
    const own = [...places.values()].flatMap((place) => [
      ...problemOf(place.original, `the control plane in namespace ${place.serviceNamespace}`),
      ...[...place.local.values()].flatMap((one) =>
        problemOf(one, `the app cluster in namespace ${place.appNamespace}`),
      ),
    ]);
    return [...problemOf(copies, 'the app cluster'), ...own].sort();
  }

  function problemOf({ share }: Watched, where: string): readonly string[] {
    const { problem } = share.informer;
    if (problem === undefined || !lasting.has(problem.code)) return [];
    const what = problem.code === 'KUBE_FORBIDDEN' ? 'may not be read' : 'does not exist';
    return [`${types.app.plural} ${what} on ${where}.`];
  }

  return {
    of: (appNamespace) => places.get(appNamespace),
    cached,
    *onControlPlane(serviceNamespace) {
      const place = places.get(namespaces.appNamespaceOf(serviceNamespace) ?? '');
      if (place?.isSeen && place.serviceNamespace === serviceNamespace)
        yield* place.original.share.informer.cache.values();
    },
    follow: (wanted) => {
      rules = wanted;
      for (const place of places.values()) {
        watchLocally(place);
        changedAll(place);
      }
    },
    problems,
    close: () => {
      unsubscribe();
      for (const place of places.values()) shut(place);
      copies.end();
    },
  };
}

interface OpenPlace extends Place {
  ending: boolean;
  /** Objects on the control plane. */
  readonly original: Watched;
  /** Objects of the user in the app cluster, by selection. */
  readonly local: Map<string, Watched>;
}

interface Watched {
  readonly share: InformerShare<UnknownObject>;
  readonly selection: Selection;
  end(): void;
}

/** Failures that are about the type, not about the connection. */
const lasting: ReadonlySet<KubeErrorCode> = new Set(['KUBE_FORBIDDEN', 'KUBE_NOT_FOUND']);

function nameIn(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

function isNewer(a: UnknownObject | undefined, b: UnknownObject): boolean {
  return a !== undefined && Number(a.metadata.resourceVersion) >= Number(b.metadata.resourceVersion);
}
