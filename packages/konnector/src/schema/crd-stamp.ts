import { annotations, type CustomResourceDefinition } from '@klutch/api';

/**
 * The moment by which a CRD was in the app cluster, as it says itself; undefined when it does not. With its UID, since
 * whoever puts a CRD in the place of another may have copied the annotations of that.
 */
export function crdStampOf({ metadata }: CustomResourceDefinition): string | undefined {
  const [uid, stamp] = (metadata.annotations?.[annotations.crdStamp] ?? '').split(' ');
  return uid !== undefined && uid === metadata.uid ? stamp : undefined;
}

/** Patch by which a CRD says so. */
export function crdStampPatch({ metadata: { uid, resourceVersion } }: CustomResourceDefinition, stamp: string): object {
  return { metadata: { uid, resourceVersion, annotations: { [annotations.crdStamp]: `${uid} ${stamp}` } } };
}
