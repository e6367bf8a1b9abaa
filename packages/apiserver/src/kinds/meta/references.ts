import { atomicStruct, named, text } from '../types/fields.ts';

/** How objects name each other. */

export const localObjectReference = atomicStruct('LocalObjectReference', 'Names an object in the same namespace.', {
  name: text('Name of the object.', { default: '' }),
});

export const objectReference = atomicStruct('ObjectReference', 'Names any object.', {
  kind: text('Kind of the object.'),
  namespace: text('Its namespace.'),
  name: text('Its name.'),
  uid: named('types.UID', 'Its identity.'),
  apiVersion: text('API version of the object.'),
  resourceVersion: text('The version of it that is meant.'),
  fieldPath: text('The part of it that is meant.'),
});
