import { localObjectReference } from '../meta/references.ts';
import { bool, dict, inlined, int32, list, must, named, ptr, quantity, raw, struct, text } from '../types/fields.ts';
import { downwardApiVolumeFile, keyToPath, projectedVolumeSource } from './projected-volume.ts';
import { persistentVolumeClaimTemplate } from './volume-claim.ts';

/** Volumes of pods. The contents of drivers that Kubernetes has given up are not looked into. */

const hostPathVolumeSource = struct('HostPathVolumeSource', 'A path of the node.', {
  path: must(text('The path.')),
  type: ptr(named('HostPathType', 'What must be there.')),
});

const emptyDirVolumeSource = struct('EmptyDirVolumeSource', 'A folder that lives as long as the pod.', {
  medium: named('StorageMedium', 'Memory, or empty for the disk.'),
  sizeLimit: ptr(quantity('The most it may hold.')),
});

const secretVolumeSource = struct('SecretVolumeSource', 'A Secret as files.', {
  secretName: text('Name of the Secret.'),
  items: list(keyToPath, 'Keys to show, and as which files; all if absent.'),
  defaultMode: ptr(int32('Permissions of the files.')),
  optional: ptr(bool('Whether it may be missing.')),
});

const configMapVolumeSource = struct('ConfigMapVolumeSource', 'A ConfigMap as files.', {
  name: text('Name of the ConfigMap.'),
  items: list(keyToPath, 'Keys to show, and as which files; all if absent.'),
  defaultMode: ptr(int32('Permissions of the files.')),
  optional: ptr(bool('Whether it may be missing.')),
});

const nfsVolumeSource = struct('NFSVolumeSource', 'An NFS share.', {
  server: must(text('Its server.')),
  path: must(text('The exported path.')),
  readOnly: bool('Whether it cannot be written.'),
});

const persistentVolumeClaimVolumeSource = struct('PersistentVolumeClaimVolumeSource', 'A claim.', {
  claimName: must(text('Name of the claim.')),
  readOnly: bool('Whether it cannot be written.'),
});

const downwardApiVolumeSource = struct('DownwardAPIVolumeSource', 'Facts about the pod as files.', {
  items: list(downwardApiVolumeFile, 'The files.'),
  defaultMode: ptr(int32('Permissions of the files.')),
});

const csiVolumeSource = struct('CSIVolumeSource', 'A volume of a CSI driver.', {
  driver: must(text('The driver.')),
  readOnly: ptr(bool('Whether it cannot be written.')),
  fsType: ptr(text('File system.')),
  volumeAttributes: dict(text(), 'Settings for the driver.'),
  nodePublishSecretRef: ptr(localObjectReference, 'Secret for the driver.'),
});

const ephemeralVolumeSource = struct('EphemeralVolumeSource', 'A claim that lives as long as the pod.', {
  volumeClaimTemplate: ptr(persistentVolumeClaimTemplate, 'The claim.'),
});

const imageVolumeSource = struct('ImageVolumeSource', 'An OCI object as files.', {
  reference: text('The object.'),
  pullPolicy: named('PullPolicy', 'Always, IfNotPresent or Never.'),
});

export const volume = struct('Volume', 'A volume of a pod: a name and one source.', {
  name: must(text('Name, unique within the pod.')),
  ...inlined('VolumeSource', {
    hostPath: ptr(hostPathVolumeSource, 'A path of the node.'),
    emptyDir: ptr(emptyDirVolumeSource, 'A folder that lives as long as the pod.'),
    gcePersistentDisk: raw(),
    awsElasticBlockStore: raw(),
    gitRepo: raw(),
    secret: ptr(secretVolumeSource, 'A Secret as files.'),
    nfs: ptr(nfsVolumeSource, 'An NFS share.'),
    iscsi: raw(),
    glusterfs: raw(),
    persistentVolumeClaim: ptr(persistentVolumeClaimVolumeSource, 'A claim in the same namespace.'),
    rbd: raw(),
    flexVolume: raw(),
    cinder: raw(),
    cephfs: raw(),
    flocker: raw(),
    downwardAPI: ptr(downwardApiVolumeSource, 'Facts about the pod as files.'),
    fc: raw(),
    azureFile: raw(),
    configMap: ptr(configMapVolumeSource, 'A ConfigMap as files.'),
    vsphereVolume: raw(),
    quobyte: raw(),
    azureDisk: raw(),
    photonPersistentDisk: raw(),
    projected: ptr(projectedVolumeSource, 'Several sources in one folder.'),
    portworxVolume: raw(),
    scaleIO: raw(),
    storageos: raw(),
    csi: ptr(csiVolumeSource, 'A volume of a CSI driver.'),
    ephemeral: ptr(ephemeralVolumeSource, 'A claim that lives as long as the pod.'),
    image: ptr(imageVolumeSource, 'An OCI object as files.'),
  }),
});
