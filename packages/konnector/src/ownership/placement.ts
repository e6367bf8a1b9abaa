import { annotations, prefixedName } from '@klutch/api';
import type { KubeObject, ObjectRef } from '@klutch/kube';
import type { Isolation } from '../instances/bound-api.ts';
import type { NamespaceMap } from '../namespaces/namespace-map.ts';
import type { Ground } from './marks.ts';

/** Where the copy of an original belongs. */
export type Place =
  /** `ending`: what is there may only go. */
  | { readonly state: 'at'; readonly ref: ObjectRef; readonly ending: boolean }
  /** Nobody asked for a place yet. */
  | { readonly state: 'unknown'; readonly namespace: string }
  | { readonly state: 'waiting'; readonly since: Date; readonly problem?: string }
  /** `copyAt`: where a copy was made before its place was refused. */
  | { readonly state: 'refused'; readonly problem: string; readonly copyAt?: ObjectRef };

/** Where the copy is, or was last, or would be; undefined when it never had a place. */
export function refOfPlace(place: Place): ObjectRef | undefined {
  if (place.state === 'at') return place.ref;
  return place.state === 'refused' ? place.copyAt : undefined;
}

/** The two-way map between originals and copies of one API. */
export interface Placement {
  readonly ground: Ground;
  copyOf(original: ObjectRef): Place;
  /**
   * Where the original of an object on the control plane would be; undefined for an object that is none of ours. Never
   * concluded from a name alone.
   */
  originalOf(copy: KubeObject): ObjectRef | undefined;
}

export interface PlacementOptions {
  readonly isolation: Isolation;
  /** Cluster namespace of the tenant. */
  readonly tenant: string;
  readonly namespaces: Pick<NamespaceMap, 'of' | 'appNamespaceOf'>;
}

export function createPlacement({ isolation, tenant, namespaces }: PlacementOptions): Placement {
  switch (isolation) {
    case 'ServiceNamespace':
      return {
        ground: 'own',
        copyOf: ({ namespace = '', name }) => inServiceNamespace(namespaces, namespace, name),
        originalOf: ({ metadata: { name = '', namespace = '' } }) => {
          const appNamespace = namespaces.appNamespaceOf(namespace);
          return appNamespace === undefined ? undefined : { namespace: appNamespace, name };
        },
      };
    case 'Namespaced':
      return {
        ground: 'own',
        copyOf: ({ name }) => at({ namespace: tenant, name }),
        originalOf: ({ metadata: { name = '', namespace } }) => (namespace === tenant ? { name } : undefined),
      };
    case 'Prefixed':
      return {
        ground: 'shared',
        copyOf: ({ name }) => at({ name: prefixedName(tenant, name) }),
        originalOf: (copy) => (tenantOf(copy) === tenant ? withoutPrefix(copy, prefixedName(tenant, '')) : undefined),
      };
    case 'None':
      return {
        ground: 'shared',
        copyOf: ({ name }) => at({ name }),
        originalOf: (copy) => (tenantOf(copy) === tenant ? { name: copy.metadata.name ?? '' } : undefined),
      };
  }
}

function inServiceNamespace(namespaces: Pick<NamespaceMap, 'of'>, namespace: string, name: string): Place {
  const mapping = namespaces.of(namespace);
  switch (mapping.state) {
    case 'ready':
    case 'ending':
      return { ...at({ namespace: mapping.serviceNamespace, name }), ending: mapping.state === 'ending' };
    case 'unknown':
      return { state: 'unknown', namespace };
    case 'waiting':
      return mapping;
    case 'refused': {
      const { problem, movedFrom } = mapping;
      return { state: 'refused', problem, ...(movedFrom ? { copyAt: { namespace: movedFrom, name } } : {}) };
    }
  }
}

function at(ref: ObjectRef): Extract<Place, { state: 'at' }> {
  return { state: 'at', ref, ending: false };
}

function tenantOf(object: KubeObject): string | undefined {
  return object.metadata.annotations?.[annotations.clusterNamespace];
}

function withoutPrefix({ metadata: { name = '' } }: KubeObject, prefix: string): ObjectRef | undefined {
  return name.length > prefix.length && name.startsWith(prefix) ? { name: name.slice(prefix.length) } : undefined;
}
