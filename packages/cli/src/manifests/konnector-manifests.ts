import { appCluster as names, konnectorNodeOptions } from '@klutch/api';
import { appClusterRules, type AppClusterRules } from '@klutch/konnector';
import type { UnknownObject } from '@klutch/kube';

/** An API that a konnector serves. */
export interface ServedApi {
  readonly group: string;
  readonly plural: string;
}

/** What a konnector is made for. */
export interface KonnectorInstallation {
  readonly image: string;
  /** All APIs that are bound, or are to be bound. */
  readonly apis: readonly ServedApi[];
  /** All claims that are accepted for them. */
  readonly claims: Parameters<typeof appClusterRules>[1];
}

/** The manifests of a konnector, in the order in which they have to be applied, and grouped by who may apply them. */
export interface KonnectorManifests {
  readonly namespace: UnknownObject;
  /** What it may do: service account, roles and their bindings. To be applied before an API is bound. */
  readonly rights: readonly UnknownObject[];
  /** What runs it. */
  readonly workload: readonly UnknownObject[];
}

/**
 * Pure: everything an app cluster needs for a konnector that serves these APIs, and no right beyond that. Nothing in it
 * is a wildcard.
 */
export function konnectorManifests({ image, apis, claims }: KonnectorInstallation): KonnectorManifests {
  return {
    namespace: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: names.namespace } },
    rights: konnectorRights({ apis, claims }),
    // The Deployment is last: where it has the image of this version, everything else is in place, also after a kill.
    workload: [networkPolicy, deployment(image)],
  };
}

/** Pure: all manifests in the order in which they have to be applied. */
export function inOrder({ namespace, rights, workload }: KonnectorManifests): readonly UnknownObject[] {
  return [namespace, ...rights, ...workload];
}

/** Rights in the whole cluster that have a role of their own. */
export interface OwnRole {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Besides those for APIs and claims. */
  readonly rules?: AppClusterRules['cluster'];
}

/** Pure: what a konnector may do. */
export function konnectorRights(
  { apis, claims }: Pick<KonnectorInstallation, 'apis' | 'claims'>,
  { name, labels: marks, rules: more = [] }: OwnRole = { name: names.konnectorRole },
): readonly UnknownObject[] {
  const rules = appClusterRules(apis, claims);
  const here = { name: names.konnector, namespace: names.namespace };
  const role = { name, labels: { ...labels, ...marks } };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...here, labels } },
    rbac('ClusterRole', role, { rules: [...rules.cluster, ...more] }),
    rbac('ClusterRoleBinding', role, bound('ClusterRole', name)),
    rbac('Role', { ...here, labels }, { rules: rules.namespace }),
    rbac('RoleBinding', { ...here, labels }, bound('Role', names.konnector)),
  ];
}

const labels = { app: names.konnector };
const healthPort = 8080;

function rbac(kind: string, metadata: object, content: object): UnknownObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, ...content };
}

function bound(kind: string, name: string): object {
  return {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [{ kind: 'ServiceAccount', name: names.konnector, namespace: names.namespace }],
  };
}

function deployment(image: string): UnknownObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: names.konnector, namespace: names.namespace, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: pod(image) },
    },
  };
}

function pod(image: string): object {
  return {
    serviceAccountName: names.konnector,
    terminationGracePeriodSeconds: 30,
    securityContext: {
      runAsNonRoot: true,
      // Where an image names its user by a word, nobody could tell that it is not root.
      runAsUser: 65_532,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: names.konnector,
        image,
        env: [
          field('POD_NAME', 'metadata.name'),
          field('POD_NAMESPACE', 'metadata.namespace'),
          { name: 'NODE_OPTIONS', value: konnectorNodeOptions },
        ],
        ports: [{ name: 'health', containerPort: healthPort, protocol: 'TCP' }],
        // The one address that konnectors of every make answer at.
        readinessProbe: { httpGet: { path: '/healthz', port: healthPort }, periodSeconds: 10 },
        livenessProbe: { tcpSocket: { port: healthPort }, initialDelaySeconds: 10, periodSeconds: 20 },
        resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '512Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
  };
}

function field(name: string, fieldPath: string): object {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

/**
 * Nobody needs more of a konnector than its health and metrics. What it may reach is left open: the addresses and ports of
 * API servers behind their Services are not known here.
 */
const networkPolicy: UnknownObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: names.konnector, namespace: names.namespace, labels },
  spec: {
    podSelector: { matchLabels: labels },
    policyTypes: ['Ingress'],
    ingress: [{ ports: [{ protocol: 'TCP', port: healthPort }] }],
  },
};
