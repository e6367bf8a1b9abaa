import type { ResourcePath } from '../paths.ts';

/** A small valid object of a kind, and a change to it. */
export interface Sample {
  readonly kind: string;
  readonly path: ResourcePath;
  readonly clusterWide?: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
  /** A field by its path, and another value for it. */
  readonly change: readonly [path: string, value: unknown];
  /** Whether `metadata.generation` is counted. */
  readonly counts?: boolean;
  /** Whether a replacement must name the resourceVersion it replaces. */
  readonly conditional?: boolean;
  /** Whether a replacement of what is not there creates it. */
  readonly createdByPut?: boolean;
  /** Whether the answer to a deletion is the object. */
  readonly returnsDeleted?: boolean;
}

const labels = { app: 'x' };
const containers = [{ name: 'c', image: 'i' }];
const template = { metadata: { labels }, spec: { containers } };
const onceTemplate = { spec: { containers, restartPolicy: 'Never' } };
const selector = { matchLabels: labels };
const anyone = 'conf.example';

/** The built-in kinds that have no behaviour but that of all objects. */
export const samples: readonly Sample[] = [
  {
    kind: 'LimitRange',
    path: 'v1/limitranges',
    fields: { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } },
    change: ['spec.limits', [{ type: 'Pod', max: { cpu: '3' } }]],
    createdByPut: true,
  },
  {
    kind: 'Node',
    path: 'v1/nodes',
    clusterWide: true,
    fields: { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] } },
    change: ['spec.unschedulable', true],
  },
  {
    kind: 'PersistentVolume',
    path: 'v1/persistentvolumes',
    clusterWide: true,
    fields: {
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        hostPath: { path: '/tmp' },
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
      },
    },
    change: ['spec.capacity', { storage: '2Gi' }],
    returnsDeleted: true,
  },
  {
    kind: 'PersistentVolumeClaim',
    path: 'v1/persistentvolumeclaims',
    fields: {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeMode: 'Block' },
    },
    change: ['metadata.labels', { changed: 'yes' }],
    returnsDeleted: true,
  },
  {
    kind: 'PodTemplate',
    path: 'v1/podtemplates',
    fields: { template },
    change: ['template.spec.hostname', 'h'],
    counts: true,
    returnsDeleted: true,
  },
  {
    kind: 'ReplicationController',
    path: 'v1/replicationcontrollers',
    fields: { spec: { selector: labels, template } },
    change: ['spec.replicas', 2],
    counts: true,
  },
  {
    kind: 'ControllerRevision',
    path: 'apps/v1/controllerrevisions',
    fields: { revision: 1, data: { any: { thing: [1] } } },
    change: ['revision', 2],
  },
  {
    kind: 'DaemonSet',
    path: 'apps/v1/daemonsets',
    fields: { spec: { selector, template } },
    change: ['spec.minReadySeconds', 2],
    counts: true,
  },
  {
    kind: 'ReplicaSet',
    path: 'apps/v1/replicasets',
    fields: { spec: { selector, template } },
    change: ['spec.replicas', 2],
    counts: true,
  },
  {
    kind: 'StatefulSet',
    path: 'apps/v1/statefulsets',
    fields: { spec: { serviceName: 's', selector, template } },
    change: ['spec.replicas', 2],
    counts: true,
  },
  {
    kind: 'HorizontalPodAutoscaler',
    path: 'autoscaling/v2/horizontalpodautoscalers',
    fields: {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        minReplicas: 2,
        maxReplicas: 3,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
          { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '5' } } },
          { type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '7' } } },
        ],
      },
    },
    change: ['spec.maxReplicas', 4],
  },
  {
    kind: 'CronJob',
    path: 'batch/v1/cronjobs',
    fields: { spec: { schedule: '* * * * *', suspend: false, jobTemplate: { spec: { template: onceTemplate } } } },
    change: ['spec.suspend', true],
    counts: true,
  },
  {
    kind: 'Job',
    path: 'batch/v1/jobs',
    fields: {
      spec: { manualSelector: true, selector, template: { metadata: { labels }, ...onceTemplate }, completions: 2 },
    },
    change: ['spec.suspend', true],
    counts: true,
  },
  {
    kind: 'EndpointSlice',
    path: 'discovery.k8s.io/v1/endpointslices',
    fields: { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }], ports: [{ name: 'p', port: 80 }] },
    change: ['endpoints', [{ addresses: ['10.1.2.4'], conditions: {} }]],
    counts: true,
  },
  {
    kind: 'Ingress',
    path: 'networking.k8s.io/v1/ingresses',
    fields: {
      spec: {
        defaultBackend: { service: { name: 's', port: { number: 80 } } },
        rules: [{ host: 'a.example' }, { host: 'b.example' }, { host: 'c.example' }, { host: 'd.example' }],
        tls: [{ secretName: 't' }],
      },
    },
    change: ['spec.ingressClassName', 'c'],
    counts: true,
  },
  {
    kind: 'IngressClass',
    path: 'networking.k8s.io/v1/ingressclasses',
    clusterWide: true,
    fields: { spec: { controller: `${anyone}/ingress` } },
    change: ['spec.parameters', { apiGroup: anyone, kind: 'Settings', name: 's', scope: 'Cluster' }],
    counts: true,
  },
  {
    kind: 'RuntimeClass',
    path: 'node.k8s.io/v1/runtimeclasses',
    clusterWide: true,
    fields: { handler: 'h' },
    change: ['metadata.labels', { changed: 'yes' }],
    conditional: true,
    createdByPut: true,
  },
  {
    kind: 'PodDisruptionBudget',
    path: 'policy/v1/poddisruptionbudgets',
    fields: { spec: { selector, minAvailable: '50%' } },
    change: ['spec.minAvailable', 2],
    counts: true,
    conditional: true,
  },
  {
    kind: 'PriorityClass',
    path: 'scheduling.k8s.io/v1/priorityclasses',
    clusterWide: true,
    fields: { value: 5, preemptionPolicy: 'Never' },
    change: ['description', 'five'],
    counts: true,
  },
  {
    kind: 'CSIDriver',
    path: 'storage.k8s.io/v1/csidrivers',
    clusterWide: true,
    fields: { spec: { podInfoOnMount: true, volumeLifecycleModes: ['Persistent', 'Ephemeral'] } },
    change: ['spec.podInfoOnMount', false],
    conditional: true,
    returnsDeleted: true,
  },
  {
    kind: 'CSINode',
    path: 'storage.k8s.io/v1/csinodes',
    clusterWide: true,
    fields: { spec: { drivers: [{ name: anyone, nodeID: 'n', topologyKeys: null }] } },
    change: ['metadata.labels', { changed: 'yes' }],
    conditional: true,
    returnsDeleted: true,
  },
  {
    kind: 'CSIStorageCapacity',
    path: 'storage.k8s.io/v1/csistoragecapacities',
    fields: { storageClassName: 's', capacity: '1Gi' },
    change: ['capacity', '2Gi'],
    conditional: true,
  },
  {
    kind: 'StorageClass',
    path: 'storage.k8s.io/v1/storageclasses',
    clusterWide: true,
    fields: { provisioner: `${anyone}/disk` },
    change: ['allowVolumeExpansion', true],
    returnsDeleted: true,
  },
  {
    kind: 'VolumeAttachment',
    path: 'storage.k8s.io/v1/volumeattachments',
    clusterWide: true,
    fields: { spec: { attacher: anyone, nodeName: 'n', source: { persistentVolumeName: 'v' } } },
    change: ['metadata.labels', { changed: 'yes' }],
    conditional: true,
    returnsDeleted: true,
  },
  {
    kind: 'VolumeAttributesClass',
    path: 'storage.k8s.io/v1/volumeattributesclasses',
    clusterWide: true,
    fields: { driverName: anyone, parameters: { a: 'b' } },
    change: ['metadata.labels', { changed: 'yes' }],
    returnsDeleted: true,
  },
];
