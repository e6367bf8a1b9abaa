import { objectMetaSchema } from '../../patch/index.ts';
import {
  atomicStruct,
  bool,
  dict,
  int64,
  list,
  must,
  named,
  ptr,
  raw,
  set,
  struct,
  text,
  time,
} from '../types/fields.ts';

const ownerReference = atomicStruct('OwnerReference', 'An object this one goes with.', {
  apiVersion: must(text()),
  kind: must(text()),
  name: must(text()),
  uid: must(named('types.UID')),
  controller: ptr(bool()),
  blockOwnerDeletion: ptr(bool()),
});

const managedFieldsEntry = struct('ManagedFieldsEntry', 'Fields that somebody manages.', {
  manager: text(),
  operation: named('ManagedFieldsOperationType'),
  apiVersion: text(),
  time: ptr(time()),
  fieldsType: text(),
  fieldsV1: raw(),
  subresource: text(),
});

/** Metadata of objects within objects, such as templates of pods. */
export const objectMeta = struct(
  'ObjectMeta',
  'What every object has.',
  {
    name: text(),
    generateName: text(),
    namespace: text(),
    selfLink: text(),
    uid: named('types.UID'),
    resourceVersion: text(),
    generation: int64(),
    creationTimestamp: ptr(time()),
    deletionTimestamp: ptr(time()),
    deletionGracePeriodSeconds: ptr(int64()),
    labels: dict(text()),
    annotations: dict(text()),
    ownerReferences: list(ownerReference),
    finalizers: set(text()),
    managedFields: list(managedFieldsEntry),
  },
  { schema: objectMetaSchema },
);
