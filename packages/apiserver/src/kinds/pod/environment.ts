import { atomicStruct, bool, must, ptr, quantity, struct, text } from '../types/fields.ts';

/** Environment variables of containers. */

export const objectFieldSelector = atomicStruct('ObjectFieldSelector', 'A field of the object.', {
  apiVersion: text('API version the path is meant for.'),
  fieldPath: must(text('Path of the field.')),
});

export const resourceFieldSelector = atomicStruct('ResourceFieldSelector', 'A resource of a container.', {
  containerName: text('The container; required for volumes.'),
  resource: must(text('For example limits.cpu.')),
  divisor: quantity('Unit of the value.'),
});

const configMapKeySelector = atomicStruct('ConfigMapKeySelector', 'A key of a ConfigMap.', {
  name: text('Name of the ConfigMap.'),
  key: must(text('The key.')),
  optional: ptr(bool('Whether it may be missing.')),
});

const secretKeySelector = atomicStruct('SecretKeySelector', 'A key of a Secret.', {
  name: text('Name of the Secret.'),
  key: must(text('The key.')),
  optional: ptr(bool('Whether it may be missing.')),
});

const fileKeySelector = atomicStruct('FileKeySelector', 'A key in a file of variables.', {
  volumeName: must(text('Volume with the file.')),
  path: must(text('Path of the file in the volume.')),
  key: must(text('The key.')),
  optional: ptr(bool('Whether it may be missing.')),
});

const envVarSource = struct('EnvVarSource', 'Where the value of a variable comes from; one of these.', {
  fieldRef: ptr(objectFieldSelector, 'A field of the pod.'),
  resourceFieldRef: ptr(resourceFieldSelector, 'A resource of the container.'),
  configMapKeyRef: ptr(configMapKeySelector, 'A key of a ConfigMap.'),
  secretKeyRef: ptr(secretKeySelector, 'A key of a Secret.'),
  fileKeyRef: ptr(fileKeySelector, 'A key in a file of a volume.'),
});

export const envVar = struct('EnvVar', 'An environment variable.', {
  name: must(text('Its name.')),
  value: text('Its value; $(NAME) refers to variables before it.'),
  valueFrom: ptr(envVarSource, 'Where the value comes from.'),
});

const configMapEnvSource = struct('ConfigMapEnvSource', 'A ConfigMap.', {
  name: text('Its name.'),
  optional: ptr(bool('Whether it may be missing.')),
});

const secretEnvSource = struct('SecretEnvSource', 'A Secret.', {
  name: text('Its name.'),
  optional: ptr(bool('Whether it may be missing.')),
});

export const envFromSource = struct('EnvFromSource', 'An object whose entries become environment variables.', {
  prefix: text('Put before every name.'),
  configMapRef: ptr(configMapEnvSource, 'A ConfigMap.'),
  secretRef: ptr(secretEnvSource, 'A Secret.'),
});
