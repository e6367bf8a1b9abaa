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
  it('serves the kinds that Klutch, kubectl and Crossplane-style objects need', () => {
    expect(builtInResources.map((served) => `${apiVersionOf(served)} ${served.kind} ${served.resource}`)).toEqual([
      'v1 Namespace namespaces',
      'v1 Secret secrets',
      'v1 ConfigMap configmaps',
      'v1 ServiceAccount serviceaccounts',
      'v1 Event events',
      'events.k8s.io/v1 Event events',
      'v1 Pod pods',
      'v1 Service services',
      'v1 Endpoints endpoints',
      'v1 ResourceQuota resourcequotas',
      'apps/v1 Deployment deployments',
      'coordination.k8s.io/v1 Lease leases',
      'networking.k8s.io/v1 NetworkPolicy networkpolicies',
      'rbac.authorization.k8s.io/v1 Role roles',
      'rbac.authorization.k8s.io/v1 RoleBinding rolebindings',
      'rbac.authorization.k8s.io/v1 ClusterRole clusterroles',
      'rbac.authorization.k8s.io/v1 ClusterRoleBinding clusterrolebindings',
      'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy validatingadmissionpolicies',
      'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings',
      'apiextensions.k8s.io/v1 CustomResourceDefinition customresourcedefinitions',
      'apiregistration.k8s.io/v1 APIService apiservices',
      'authentication.k8s.io/v1 TokenReview tokenreviews',
      'authentication.k8s.io/v1 SelfSubjectReview selfsubjectreviews',
      'authorization.k8s.io/v1 SubjectAccessReview subjectaccessreviews',
      'authorization.k8s.io/v1 LocalSubjectAccessReview localsubjectaccessreviews',
      'authorization.k8s.io/v1 SelfSubjectAccessReview selfsubjectaccessreviews',
      'authorization.k8s.io/v1 SelfSubjectRulesReview selfsubjectrulesreviews',
    ]);
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
      expect(served.schema?.source.description).toMatch(/\.$/);
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
