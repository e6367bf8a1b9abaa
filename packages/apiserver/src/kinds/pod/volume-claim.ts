import { labelSelector } from '../meta/label-selector.ts';
import { objectMeta } from '../meta/object-meta.ts';
import { always, atomicStruct, dict, list, must, named, ptr, quantity, struct, text, value } from '../types/fields.ts';

/** Claims that live as long as their pods. */

const volumeResourceRequirements = struct('VolumeResourceRequirements', 'How much storage.', {
  limits: dict(quantity(), 'The most.'),
  requests: dict(quantity(), 'The least.'),
});

const typedLocalObjectReference = atomicStruct('TypedLocalObjectReference', 'Names an object in the same namespace.', {
  apiGroup: always(ptr(text('API group of the object.'))),
  kind: must(text('Its kind.')),
  name: must(text('Its name.')),
});

const typedObjectReference = struct('TypedObjectReference', 'Names an object.', {
  apiGroup: always(ptr(text('API group of the object.'))),
  kind: must(text('Its kind.')),
  name: must(text('Its name.')),
  namespace: ptr(text('Its namespace.')),
});

const persistentVolumeClaimSpec = struct('PersistentVolumeClaimSpec', 'What storage is wanted.', {
  accessModes: list(named('PersistentVolumeAccessMode'), 'How it will be used.'),
  selector: ptr(labelSelector, 'Volumes that come into question.'),
  resources: value(volumeResourceRequirements, 'How much.'),
  volumeName: text('A certain volume.'),
  storageClassName: ptr(text('Class of storage.')),
  volumeMode: ptr(named('PersistentVolumeMode', 'Filesystem or Block.')),
  dataSource: ptr(typedLocalObjectReference),
  dataSourceRef: ptr(typedObjectReference),
  volumeAttributesClassName: ptr(text()),
});

export const persistentVolumeClaimTemplate = struct('PersistentVolumeClaimTemplate', 'A claim to be made.', {
  metadata: value(objectMeta, 'Labels and annotations of the claim.'),
  spec: must(value(persistentVolumeClaimSpec, 'The claim.')),
});
