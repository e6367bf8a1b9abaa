import { apiVersion, type ClusterBinding, ClusterBindings, controlPlane as names, kubeconfigKey } from '@klutch/api';
import { type KubeClient, type Namespace, type ResourceClient, type KubeObject } from '@klutch/kube';
import { type IssueDeps, offerCredential } from '../credentials/issue.ts';
import { binderRules } from '../grants/binder-rules.ts';
import type { OwnRights } from '../grants/own-rights.ts';
import { ensureRoleBinding } from '../grants/role-bindings.ts';
import { ensureRole } from '../grants/roles.ts';
import { excusing } from '../objects/excusing.ts';
import { ServiceAccounts } from '../objects/service-account.ts';
import { untilForgotten } from './after-eviction.ts';
import type { Provisioned } from './app-cluster.ts';

export interface ProvisionDeps extends IssueDeps {
  readonly prettyName: string;
  readonly rights: OwnRights;
}

/**
 * Gives a registered app cluster everything it needs to connect. Every step leaves alone what is there already, so that a
 * second run completes a first one that ended anywhere.
 */
export async function provisionNamespace(deps: ProvisionDeps, { metadata }: Namespace): Promise<Provisioned> {
  const { client, rights } = deps;
  await untilForgotten(deps.clock, { metadata });
  const namespace = metadata.name ?? '';
  await rights.ensure(metadata);
  await ensureAccount(client, namespace);
  // Kubernetes lets nobody refer to a role that is not there.
  await ensureRole(client, { name: names.binder, namespace, rules: binderRules });
  await ensureRoleBinding(client, { clusterNamespace: namespace, namespace });
  const { spec } = await ensureClusterBinding(deps, namespace);
  const place = { namespace, secret: spec.kubeconfigSecretRef.name };
  return { namespace, kubeconfig: await offerCredential(deps, place, 'unless fresh') };
}

async function ensureAccount(client: KubeClient, namespace: string): Promise<void> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: names.binder, namespace } };
  await findOrCreate(client.resource(ServiceAccounts), account);
}

function ensureClusterBinding({ client, prettyName }: ProvisionDeps, namespace: string): Promise<ClusterBinding> {
  return findOrCreate(client.resource(ClusterBindings), {
    apiVersion,
    kind: 'ClusterBinding',
    metadata: { name: names.clusterBinding, namespace },
    spec: {
      kubeconfigSecretRef: { name: names.kubeconfigSecret, key: kubeconfigKey },
      providerPrettyName: prettyName,
    },
  });
}

async function findOrCreate<T extends KubeObject>(objects: ResourceClient<T>, object: T): Promise<T> {
  const ref = { name: object.metadata.name ?? '', namespace: object.metadata.namespace };
  const found = await objects.find(ref);
  return found ?? (await excusing(objects.create(object), 'KUBE_ALREADY_EXISTS')) ?? objects.get(ref);
}
