import { labelSelector } from '../meta/label-selector.ts';
import { always, bool, dict, int32, int64, list, must, ptr, struct, text } from '../types/fields.ts';
import { objectFieldSelector, resourceFieldSelector } from './environment.ts';

/** Volumes made of several sources. */

export const keyToPath = struct('KeyToPath', 'A key as a file.', {
  key: must(text('The key.')),
  path: must(text('Path of the file.')),
  mode: ptr(int32('Permissions of the file.')),
});

const secretProjection = struct('SecretProjection', 'A Secret in a projected volume.', {
  name: text('Its name.'),
  items: list(keyToPath, 'Keys to show; all if absent.'),
  optional: ptr(bool('Whether it may be missing.')),
});

const configMapProjection = struct('ConfigMapProjection', 'A ConfigMap in a projected volume.', {
  name: text('Its name.'),
  items: list(keyToPath, 'Keys to show; all if absent.'),
  optional: ptr(bool('Whether it may be missing.')),
});

export const downwardApiVolumeFile = struct('DownwardAPIVolumeFile', 'A fact about the pod as a file.', {
  path: must(text('Path of the file.')),
  fieldRef: ptr(objectFieldSelector, 'A field of the pod.'),
  resourceFieldRef: ptr(resourceFieldSelector, 'A resource of a container.'),
  mode: ptr(int32('Permissions of the file.')),
});

const downwardApiProjection = struct('DownwardAPIProjection', 'Facts about the pod in a projected volume.', {
  items: list(downwardApiVolumeFile, 'The files.'),
});

const serviceAccountTokenProjection = struct('ServiceAccountTokenProjection', 'A token in a projected volume.', {
  audience: text('Whom it is meant for.'),
  expirationSeconds: ptr(int64('How long it lives.')),
  path: must(text('Path of the file.')),
});

const clusterTrustBundleProjection = struct(
  'ClusterTrustBundleProjection',
  'Certificates to trust in a projected volume.',
  {
    name: ptr(text()),
    signerName: ptr(text()),
    labelSelector: ptr(labelSelector),
    optional: ptr(bool()),
    path: must(text('Path of the file.')),
  },
);

const podCertificateProjection = struct(
  'PodCertificateProjection',
  'A certificate for the pod in a projected volume.',
  {
    signerName: text(),
    keyType: text(),
    maxExpirationSeconds: ptr(int32()),
    credentialBundlePath: text(),
    keyPath: text(),
    certificateChainPath: text(),
    userAnnotations: dict(text()),
  },
);

const volumeProjection = struct('VolumeProjection', 'One of the sources of a projected volume.', {
  secret: ptr(secretProjection, 'A Secret.'),
  downwardAPI: ptr(downwardApiProjection, 'Facts about the pod.'),
  configMap: ptr(configMapProjection, 'A ConfigMap.'),
  serviceAccountToken: ptr(serviceAccountTokenProjection, 'A token of the service account.'),
  clusterTrustBundle: ptr(clusterTrustBundleProjection, 'Certificates to trust.'),
  podCertificate: ptr(podCertificateProjection, 'A certificate for the pod.'),
});

export const projectedVolumeSource = struct('ProjectedVolumeSource', 'Several sources in one folder.', {
  sources: always(list(volumeProjection, 'The sources.')),
  defaultMode: ptr(int32('Permissions of the files.')),
});
