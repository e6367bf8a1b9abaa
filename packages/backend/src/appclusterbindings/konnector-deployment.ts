import {
  annotations,
  appCluster,
  controlPlane,
  controlPlaneKonnectorName,
  konnectorNodeOptions,
  labels,
} from '@klutch/api';
import type { Container, Deployment, EnvVariable } from '../objects/deployment.ts';
import { bindingLabels, type StoredBinding } from './binding-labels.ts';
import { covers, digestOf } from './covers.ts';
import type { ContainerChanges } from './overrides.ts';

/** The Deployment of the konnector that serves a binding from the control plane. */
export function konnectorDeployment(
  binding: StoredBinding,
  root: string,
  image: string,
  changes: ContainerChanges,
): Deployment {
  const own = bindingLabels(binding.metadata);
  const podLabels = { ...own, [labels.app]: appCluster.konnector };
  const spec: Deployment['spec'] = {
    replicas: 2,
    selector: { matchLabels: podLabels },
    template: {
      metadata: { labels: podLabels },
      spec: {
        serviceAccountName: controlPlane.binder,
        securityContext: {
          runAsNonRoot: true,
          // Where an image names its user by a word, nobody could tell that it is not root.
          runAsUser: 65_532,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [container(binding, root, image, changes)],
      },
    },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: controlPlaneKonnectorName(binding.metadata.name),
      namespace: root,
      labels: podLabels,
      annotations: { [annotations.applied]: digestOf(spec) },
    },
    spec,
  };
}

/** Whether a Deployment was written by this backend; one of a Go backend is replaced, since its selector cannot change. */
export function isOurDeployment(deployment: Deployment): boolean {
  return deployment.metadata.annotations?.[annotations.applied] !== undefined;
}

/**
 * Whether a Deployment is as wanted. The server writes quantities in its own way, so that of resources only the digest
 * of what was last applied tells.
 */
export function isSameDeployment(actual: Deployment, wanted: Deployment): boolean {
  const [first, ...others] = wanted.spec.template.spec.containers;
  if (!first) return true;
  const { resources: _, ...comparable } = first;
  const { template } = wanted.spec;
  const containers = [comparable, ...others] as readonly Container[];
  const spec = { ...wanted.spec, template: { ...template, spec: { ...template.spec, containers } } };
  return covers(actual, { metadata: wanted.metadata, spec });
}

function container(binding: StoredBinding, root: string, image: string, changes: ContainerChanges): Container {
  const { name, key } = binding.spec.kubeconfigSecretRef;
  const ownEnv = [
    fieldVariable('POD_NAME', 'metadata.name'),
    fieldVariable('POD_NAMESPACE', 'metadata.namespace'),
    { name: 'NODE_OPTIONS', value: konnectorNodeOptions },
  ];
  return {
    name: appCluster.konnector,
    image,
    ...(changes.imagePullPolicy ? { imagePullPolicy: changes.imagePullPolicy } : {}),
    args: [
      '--control-plane-mode',
      `--app-cluster-kubeconfig-secret-name=${name}`,
      `--app-cluster-kubeconfig-secret-namespace=${root}`,
      `--app-cluster-kubeconfig-secret-key=${key}`,
      `--binding-root-namespace=${root}`,
      '--lease-namespace=$(POD_NAMESPACE)',
      ...changes.args,
    ],
    env: [...ownEnv, ...changes.env],
    ports: [{ name: 'health', containerPort: 8080 }],
    resources: changes.resources ?? {
      requests: { cpu: '50m', memory: '128Mi' },
      limits: { memory: '512Mi' },
    },
    securityContext: {
      ...changes.securityContext,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    // The one address that konnectors of every make answer at.
    readinessProbe: { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 10 },
    livenessProbe: { tcpSocket: { port: 8080 }, initialDelaySeconds: 10, periodSeconds: 20 },
  };
}

function fieldVariable(name: string, fieldPath: string): EnvVariable {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}
