import { createHash } from 'node:crypto';
import { annotations, labels, ResourceOwner } from '@klutch/api';
import type { KubeObject, ObjectMeta, ObjectRef } from '@klutch/kube';

/** The side of a claimed object's owner; its original lies there. */
export type Owner = ResourceOwner;

/** Whom copies come from, as their marks say. */
export interface CopySources {
  /** On copies in the app cluster: UID of the tenant's namespace, which tells control planes apart. */
  readonly Provider: string;
  /** On copies on the control plane: identity of the app cluster. */
  readonly Consumer: string;
}

/**
 * What an object of one side is. `plain`: nobody marked it. `original`: marked as owned by its side. `copy`: made by this
 * link. `oldCopy`: a copy made by a Go konnector or for an app cluster whose place was taken over. `foreign`: not to be
 * touched and never to be carried.
 */
export type Role = 'plain' | 'original' | 'copy' | 'oldCopy' | 'foreign';

export interface RoleContext {
  readonly sources: CopySources;
  /** UID of the copy that this process made at that place, which is a copy even if somebody removed its marks. */
  readonly copyUid?: string;
  readonly neverTravels: boolean;
}

/** What an object is; `side` is where it lies: with the provider, on the control plane, or with the consumer. */
export function roleOf(object: KubeObject, side: Owner, { sources, copyUid, neverTravels }: RoleContext): Role {
  const { uid, annotations: notes = {} } = object.metadata;
  const other = otherSide(side);
  const source = notes[annotations.sourceCluster];
  const isAtItsPlace =
    notes[annotations.applied]?.startsWith(`${placeMark(sources[other], object.metadata)}.`) ?? false;
  if (uid !== undefined && uid === copyUid) return 'copy';
  if (source === sources[other] && isAtItsPlace) return 'copy';
  if (neverTravels) return 'foreign';
  const owner = notes[annotations.resourceOwner];
  if (owner === undefined) return 'plain';
  if (owner === side) return 'original';
  if (owner !== other) return 'foreign';
  if (source === undefined) return 'oldCopy';
  // Marks of a copy at another place: somebody copied the copy, and what he made is his own.
  if (source === sources[other]) return 'plain';
  return side === ResourceOwner.Consumer ? 'foreign' : 'oldCopy';
}

/** Marks of a copy of `original`; `carried` is the metadata it gets, of which the marks keep a digest. */
export function copyMarks(
  owner: Owner,
  original: KubeObject,
  place: ObjectRef,
  carried: Pick<ObjectMeta, 'labels' | 'annotations'>,
  sources: CopySources,
): Required<Pick<ObjectMeta, 'labels' | 'annotations'>> {
  const source = sources[owner];
  return {
    labels: owner === ResourceOwner.Provider ? { [labels.claimedFrom]: ResourceOwner.Provider } : {},
    annotations: {
      [annotations.resourceOwner]: owner,
      [annotations.sourceCluster]: source,
      [annotations.sourceUid]: original.metadata.uid ?? '',
      // Of metadata only: a digest of the content would let anyone who sees it try out passwords.
      [annotations.applied]: `${placeMark(source, place)}.${digest(JSON.stringify([sorted(carried.labels), sorted(carried.annotations)]))}`,
    },
  };
}

export function otherSide(side: Owner): Owner {
  return side === ResourceOwner.Provider ? ResourceOwner.Consumer : ResourceOwner.Provider;
}

function placeMark(
  source: string,
  { namespace = '', name = '' }: { readonly namespace?: string; readonly name?: string },
) {
  return digest(`${source}/${namespace}/${name}`);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

function sorted(entries: Readonly<Record<string, string>> = {}): readonly (readonly [string, string])[] {
  return Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
}
