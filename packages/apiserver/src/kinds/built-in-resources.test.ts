import { describe, expect, it } from 'vitest';
import { applyPatch, trackUpdate } from '../apply/index.ts';
import type { ApiObject, JsonObject } from '../objects/api-object.ts';
import { applyStrategicMergePatch } from '../patch/index.ts';
import { apiVersionOf, bucketOf, type ServedResource } from '../registry/served-resource.ts';
import { builtInResources } from './built-in-resources.ts';

const now = new Date('2026-01-01T00:00:00Z');

function kind(name: string): ServedResource {
  const served = builtInResources.find((one) => one.kind === name);
  if (!served) throw new Error(`${name} is not served`);
  return served;
}

function completed(object: ApiObject): ApiObject {
  const { schema } = kind(object.kind);
  schema?.prune(object);
  schema?.applyDefaults(object);
  return object;
}

const deployment = (spec: object = {}): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', namespace: 'n' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'a', image: 'i:1', ports: [{ containerPort: 80 }] }] },
    },
    ...spec,
  },
});

describe('builtInResources', () => {
  it('serves what kubectl creates, lists and prunes', () => {
    const served = new Set(builtInResources.map((type) => `${apiVersionOf(type)} ${type.kind}`));
    const missing = [
      ...['ConfigMap', 'Endpoints', 'Event', 'LimitRange', 'Namespace', 'Node'].map((name) => `v1 ${name}`),
      ...['PersistentVolume', 'PersistentVolumeClaim', 'Pod', 'ReplicationController'].map((name) => `v1 ${name}`),
      ...['ResourceQuota', 'Secret', 'Service', 'ServiceAccount'].map((name) => `v1 ${name}`),
      ...['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'].map((name) => `apps/v1 ${name}`),
      ...['CronJob', 'Job'].map((name) => `batch/v1 ${name}`),
      ...['Ingress', 'IngressClass', 'NetworkPolicy'].map((name) => `networking.k8s.io/v1 ${name}`),
      ...['CSIDriver', 'StorageClass'].map((name) => `storage.k8s.io/v1 ${name}`),
      'autoscaling/v2 HorizontalPodAutoscaler',
      'policy/v1 PodDisruptionBudget',
      'scheduling.k8s.io/v1 PriorityClass',
    ].filter((name) => !served.has(name));

    expect(missing).toEqual([]);
  });

  it('serves no kind whose promise it does not keep', () => {
    const names = builtInResources.map(({ resource }) => resource);

    for (const name of [
      'mutatingwebhookconfigurations',
      'validatingwebhookconfigurations',
      'certificatesigningrequests',
    ])
      expect(names).not.toContain(name);
  });

  it.each(builtInResources.map((served) => [served.kind, served] as const))(
    '%s is described completely',
    (_, served) => {
      expect(served.builtIn).toBe(true);
      if (!served.conversion) {
        expect(served.bucket).toBe(bucketOf(served));
        expect(served.storageApiVersion).toBe(apiVersionOf(served));
      }
      expect(served.schema?.source).toMatchObject({ type: 'object', title: served.kind });
      expect(served.ownership(undefined).types.has(apiVersionOf(served))).toBe(true);
    },
  );

  it.each(['TokenReview', 'SelfSubjectReview', 'SubjectAccessReview', 'SelfSubjectRulesReview'])(
    '%s can only be created',
    (name) => {
      expect(kind(name).verbs).toEqual(['create']);
    },
  );

  it.each([
    ['Secret', ['type']],
    ['Namespace', ['name', 'status.phase']],
    ['ConfigMap', []],
    ['Lease', []],
    ['Service', ['spec.clusterIP', 'spec.type']],
    [
      'Pod',
      [
        'spec.hostNetwork',
        'spec.nodeName',
        'spec.restartPolicy',
        'spec.schedulerName',
        'spec.serviceAccountName',
        'status.nominatedNodeName',
        'status.phase',
        'status.podIP',
      ],
    ],
  ])('%s can be selected by %j', (name, fields) => {
    expect(Object.keys(kind(name).selectableFields).sort()).toEqual(fields);
  });

  it.each([
    ['Secret', true],
    ['Deployment', true],
    ['Lease', false],
    ['CustomResourceDefinition', false],
    ['APIService', false],
  ])('a PUT of a %s without resourceVersion is taken: %s', (name, isTaken) => {
    expect(kind(name).strategy.unconditionalUpdate).toBe(isTaken);
  });

  it.each([
    ['Deployment', true],
    ['Pod', true],
    ['NetworkPolicy', true],
    ['CustomResourceDefinition', true],
    ['Secret', false],
    ['Namespace', false],
    ['Service', false],
  ])('changes of a %s are counted: %s', (name, isCounted) => {
    expect(kind(name).strategy.tracksGeneration).toBe(isCounted);
  });

  it.each(['Namespace', 'ServiceAccount', 'Pod', 'Service', 'ResourceQuota'])(
    'the answer to the deletion of a %s is the object',
    (name) => {
      expect(kind(name).strategy.returnsDeleted).toBe(true);
    },
  );
});

describe('ownership of fields', () => {
  // What Go writes for structs in which nothing is set.
  it.each([
    ['Namespace', { spec: {}, status: {} }],
    ['Secret', {}],
    ['ConfigMap', {}],
    ['ServiceAccount', {}],
    ['Endpoints', {}],
    [
      'Event',
      {
        involvedObject: {},
        source: {},
        firstTimestamp: null,
        lastTimestamp: null,
        eventTime: null,
        reportingComponent: '',
        reportingInstance: '',
      },
    ],
    ['Pod', { spec: { containers: null }, status: {} }],
    ['Service', { spec: {}, status: { loadBalancer: {} } }],
    ['ResourceQuota', { spec: {}, status: {} }],
    [
      'Deployment',
      { spec: { selector: null, template: { metadata: {}, spec: { containers: null } }, strategy: {} }, status: {} },
    ],
    ['Lease', { spec: {} }],
    ['NetworkPolicy', { spec: { podSelector: {} } }],
    ['Role', { rules: null }],
    ['ClusterRole', { rules: null }],
    ['RoleBinding', { roleRef: { apiGroup: '', kind: '', name: '' } }],
    ['ClusterRoleBinding', { roleRef: { apiGroup: '', kind: '', name: '' } }],
    ['APIService', { spec: { groupPriorityMinimum: 0, versionPriority: 0 }, status: {} }],
    [
      'CustomResourceDefinition',
      {
        spec: { group: '', names: { plural: '', kind: '' }, scope: '', versions: null },
        status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null },
      },
    ],
    ['TokenReview', { spec: {}, status: { user: {} } }],
    ['SelfSubjectReview', { status: { userInfo: {} } }],
    ['SubjectAccessReview', { spec: {}, status: { allowed: false } }],
    [
      'SelfSubjectRulesReview',
      { spec: {}, status: { resourceRules: null, nonResourceRules: null, incomplete: false } },
    ],
  ])('%s has nothing at first but what Go always shows', (name, blank) => {
    expect(kind(name).ownership(undefined).builtIn?.blank).toEqual({ metadata: {}, ...blank });
  });

  it.each([
    ['Deployment', undefined, 1],
    ['Deployment', 'status', 1],
    ['Namespace', 'finalize', 1],
    ['Secret', undefined, 0],
  ])('endpoint %s/%s resets fields of %i versions', (name, subresource, versions) => {
    expect(kind(name).ownership(subresource).reset?.size ?? 0).toBe(versions);
  });

  it('is tracked for a new deployment as Kubernetes does', () => {
    const updated = completed(deployment());
    const tracked = trackUpdate({ scope: kind('Deployment').ownership(undefined), updated, manager: 'me', now });

    expect(tracked.metadata.managedFields?.[0]?.fieldsV1).toEqual({
      'f:spec': {
        'f:progressDeadlineSeconds': {},
        'f:replicas': {},
        'f:revisionHistoryLimit': {},
        'f:selector': {},
        'f:strategy': { 'f:rollingUpdate': { '.': {}, 'f:maxSurge': {}, 'f:maxUnavailable': {} }, 'f:type': {} },
        'f:template': {
          'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
          'f:spec': {
            'f:containers': {
              'k:{"name":"a"}': {
                '.': {},
                'f:image': {},
                'f:imagePullPolicy': {},
                'f:name': {},
                'f:ports': {
                  '.': {},
                  'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {}, 'f:protocol': {} },
                },
                'f:resources': {},
                'f:terminationMessagePath': {},
                'f:terminationMessagePolicy': {},
              },
            },
            'f:dnsPolicy': {},
            'f:restartPolicy': {},
            'f:schedulerName': {},
            'f:securityContext': {},
            'f:terminationGracePeriodSeconds': {},
          },
        },
      },
    });
  });

  it('of a new namespace is that of its label, as in Kubernetes', () => {
    const created: ApiObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } };
    const updated = completed(created);
    const tracked = trackUpdate({ scope: kind('Namespace').ownership(undefined), updated, manager: 'me', now });

    expect(tracked.metadata.managedFields?.map(({ fieldsV1 }) => fieldsV1)).toEqual([
      { 'f:metadata': { 'f:labels': { '.': {}, 'f:kubernetes.io/metadata.name': {} } } },
    ]);
  });

  it('knows the protocol of a port that leaves it out', () => {
    const live = completed(deployment());
    const applied = deployment({
      template: { spec: { containers: [{ name: 'a', ports: [{ containerPort: 80, name: 'http' }] }] } },
    }) as unknown as JsonObject;
    const result = applyPatch({
      scope: kind('Deployment').ownership(undefined),
      live,
      applied,
      manager: 'me',
      force: false,
      now,
    });

    expect(result).toMatchObject({
      object: {
        spec: {
          template: { spec: { containers: [{ ports: [{ containerPort: 80, protocol: 'TCP', name: 'http' }] }] } },
        },
      },
    });
  });
});

describe('strategic merge patches', () => {
  const patch = (object: ApiObject, change: JsonObject) =>
    applyStrategicMergePatch(object as unknown as JsonObject, change, kind(object.kind).schema?.source ?? {});

  it('find containers by name and ports by number', () => {
    const result = patch(deployment(), {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'a', image: 'i:2', ports: [{ containerPort: 81 }] },
              { name: 'b', image: 'j' },
            ],
          },
        },
      },
    });

    expect(result).toMatchObject({
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'a', image: 'i:2', ports: [{ containerPort: 81 }, { containerPort: 80 }] },
              { name: 'b', image: 'j' },
            ],
          },
        },
      },
    });
  });

  it('replace lists without a key', () => {
    const result = patch(deployment({ template: { spec: { tolerations: [{ key: 'a' }] } } }), {
      spec: { template: { spec: { tolerations: [{ key: 'b' }] } } },
    });

    expect(result).toMatchObject({ spec: { template: { spec: { tolerations: [{ key: 'b' }] } } } });
  });

  it('merge metadata of templates', () => {
    const result = patch(deployment(), { spec: { template: { metadata: { annotations: { x: 'y' } } } } });

    expect(result).toMatchObject({ spec: { template: { metadata: { labels: { a: 'b' }, annotations: { x: 'y' } } } } });
  });
});
