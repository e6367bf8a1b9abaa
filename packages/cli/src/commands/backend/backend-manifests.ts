import { goKonnectorImage, KlutchError, type OfferedApi } from '@klutch/api';
import { backendAccess, ruleSettingsFrom } from '@klutch/backend';
import type { KubeObject, UnknownObject } from '@klutch/kube';

/** What the manifests of a backend depend on. */
export interface BackendInstallation {
  readonly namespace: string;
  readonly image: string;
  /** Flags of the backend, besides those that follow from the manifests themselves. */
  readonly args: readonly string[];
  readonly offers: readonly OfferedApi[];
  /** Namespaces whose AppClusterBindings the backend may serve. */
  readonly appClusterNamespaces?: readonly string[];
}

/** The image that belongs to a version. */
export function defaultBackendImage(version: string): string {
  return `${goKonnectorImage.repository.replace(/konnector$/, 'backend')}:v${version.replace(/^v/, '')}`;
}

/**
 * Pure: the manifests of a backend, in the order in which they can be applied: policies before the rights that they narrow.
 * Secrets are not among them. Throws `KLUTCH_USAGE` for settings that contradict each other.
 */
export function backendManifests(installation: BackendInstallation): readonly KubeObject[] {
  const { namespace, image, args, offers, appClusterNamespaces = [] } = installation;
  const grounds = { offers, ...ruleSettingsFrom(args) };
  if (appClusterNamespaces.length > 0 && !grounds.controlPlaneMode) {
    const message =
      '--app-cluster-namespace is for backends that serve AppClusterBindings; add -- --control-plane-mode.';
    throw new KlutchError('KLUTCH_USAGE', message);
  }
  const account = `system:serviceaccount:${namespace}:${name}`;
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, labels } },
    ...backendAccess({ ...grounds, account, namespace, appClusterNamespaces }).map(({ object }) => object),
    deployment(namespace, image, args),
    service(namespace),
    networkPolicy(namespace),
  ];
}

const name = 'klutch-backend';
const labels = { app: name };
const port = 8080;
const operationsPort = 8081;
/** Where the Secret of the backend appears in its pods. */
const folder = '/etc/klutch';

function deployment(namespace: string, image: string, args: readonly string[]): UnknownObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: pod(image, args) },
    },
  };
}

function pod(image: string, args: readonly string[]): object {
  const probe = (path: string) => ({ httpGet: { path, port: 'operations' }, timeoutSeconds: 2 });
  return {
    serviceAccountName: name,
    terminationGracePeriodSeconds: 30,
    securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: labels },
      },
    ],
    containers: [
      {
        name,
        image,
        command: ['klutch', 'backend'],
        args: [
          `--listen-address=0.0.0.0:${port}`,
          `--operations-address=0.0.0.0:${operationsPort}`,
          ...args,
          ...secretFlags(args),
        ],
        env: [field('POD_NAME', 'metadata.name'), field('POD_NAMESPACE', 'metadata.namespace')],
        ports: [
          { name: 'http', containerPort: port, protocol: 'TCP' },
          { name: 'operations', containerPort: operationsPort, protocol: 'TCP' },
        ],
        readinessProbe: { ...probe('/readyz'), periodSeconds: 5 },
        livenessProbe: { ...probe('/livez'), periodSeconds: 10, failureThreshold: 6 },
        resources: { requests: { cpu: '100m', memory: '192Mi' }, limits: { memory: '512Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [{ name: 'secrets', mountPath: folder, readOnly: true }],
      },
    ],
    volumes: [{ name: 'secrets', secret: { secretName: name, optional: true } }],
  };
}

/** Where the secrets are, for a backend at which people log in. */
function secretFlags(args: readonly string[]): readonly string[] {
  if (!args.some((arg) => arg.startsWith('--oidc-'))) return [];
  const flags = [
    ['oidc-client-secret-file', 'oidc-client-secret'],
    ['cookie-signing-key-file', 'cookie-signing-key'],
  ] as const;
  return flags
    .filter(([flag]) => !args.some((arg) => arg.startsWith(`--${flag}`)))
    .map(([flag, key]) => `--${flag}=${folder}/${key}`);
}

function service(namespace: string): UnknownObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels },
    spec: { selector: labels, ports: [{ name: 'http', port, targetPort: 'http', protocol: 'TCP' }] },
  };
}

/** Label of namespaces whose pods may read the metrics of the backend. */
const scrapers = { 'klutch.anynines.com/may-scrape': 'true' };

/**
 * Users come in on one port; on the other only monitoring, besides the kubelet, which no policy keeps out. What the backend
 * may reach is left open: the addresses of the API server and the issuer are not known here.
 */
function networkPolicy(namespace: string): UnknownObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace, labels },
    spec: {
      podSelector: { matchLabels: labels },
      policyTypes: ['Ingress'],
      ingress: [
        { ports: [{ protocol: 'TCP', port }] },
        {
          ports: [{ protocol: 'TCP', port: operationsPort }],
          from: [{ namespaceSelector: { matchLabels: scrapers } }],
        },
      ],
    },
  };
}

function field(variable: string, fieldPath: string): object {
  return { name: variable, valueFrom: { fieldRef: { fieldPath } } };
}
