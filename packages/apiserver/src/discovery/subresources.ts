import type { ServedResource } from '../registry/served-resource.ts';

/** A part of objects with an endpoint of its own. */
export interface Subresource {
  readonly name: string;
  /** Kind that is exchanged there. */
  readonly kind: string;
  /** API of that kind when it is not that of the objects. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

const READ_AND_CHANGE = ['get', 'patch', 'update'];

/** The subresources of a type in the order of Kubernetes: by name, but status before scale for custom resources. */
export function subresourcesOf({
  hasStatus,
  scale,
  kind,
  otherSubresources = [],
  builtIn,
}: ServedResource): readonly Subresource[] {
  const status = hasStatus ? [{ name: 'status', kind, verbs: READ_AND_CHANGE }] : [];
  const scaling = scale
    ? [{ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: READ_AND_CHANGE }]
    : [];
  const all = [...status, ...scaling, ...otherSubresources];
  return builtIn ? all.sort((a, b) => (a.name < b.name ? -1 : 1)) : all;
}

/** Verbs of custom resources in the order in which Kubernetes lists them. */
const CUSTOM_ORDER = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

export function listedVerbs({ builtIn, verbs }: ServedResource): readonly string[] {
  if (!builtIn) return CUSTOM_ORDER.filter((verb) => (verbs as readonly string[]).includes(verb));
  return [...verbs].sort();
}

/** Whether objects are kept, rather than answered and forgotten. */
export function isStored({ verbs }: ServedResource): boolean {
  return verbs.includes('get');
}

/** What objects are stored as: the same for all versions of a type. */
export function storedKind({ storageApiVersion, kind }: ServedResource): string {
  return storageApiVersion.includes('/') ? `${storageApiVersion}/${kind}` : `/${storageApiVersion}/${kind}`;
}
