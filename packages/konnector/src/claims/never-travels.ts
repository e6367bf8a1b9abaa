import { annotations, appCluster } from '@klutch/api';
import type { UnknownObject } from '@klutch/kube';

/**
 * Whether an object stays where it is, whatever is claimed: credentials of the cluster itself, the way into the control
 * plane, what every cluster makes for its own namespaces, and instances of bound APIs, which travel another way.
 *
 * @param kubeconfigSecret `namespace/name` of the Secret in the app cluster that holds the way into the control plane
 */
export function neverTravels(object: UnknownObject, kubeconfigSecret: string): boolean {
  const { name = '', namespace = '', annotations: notes = {} } = object.metadata;
  if (notes[annotations.bound] !== undefined) return true;
  if (object.kind === 'ConfigMap') return clusterConfigMaps.has(name);
  if (object.kind !== 'Secret') return false;
  if (typeof object['type'] === 'string' && clusterSecretTypes.has(object['type'])) return true;
  if (notes['kubernetes.io/service-account.name'] !== undefined) return true;
  if (`${namespace}/${name}` === kubeconfigSecret) return true;
  return konnectorNamespaces.has(namespace) && name.startsWith(appCluster.kubeconfigSecretPrefix);
}

const clusterSecretTypes: ReadonlySet<string> = new Set([
  'kubernetes.io/service-account-token',
  'bootstrap.kubernetes.io/token',
  'helm.sh/release.v1',
]);
const clusterConfigMaps: ReadonlySet<string> = new Set(['kube-root-ca.crt', 'openshift-service-ca.crt']);
const konnectorNamespaces: ReadonlySet<string> = new Set([appCluster.namespace, appCluster.oldNamespace]);
