import { controlPlane, type OfferedApi } from '@klutch/api';
import { appClusterBindingsRole, backendAccess, ruleSettingsFrom } from '@klutch/backend';
import type { KubeClient, KubeObject, ResourceType, UnknownObject } from '@klutch/kube';
import { typeOf } from '../manifests/manifest-types.ts';
import { catalogueManager, wouldBecome } from './compare.ts';

/**
 * Gives the backend of a control plane the rights that it needs to serve these offers, and puts the policies in force that narrow
 * them. False when the control plane has none whose account is known. Where its Deployment is, its flags count.
 */
export async function grantBackend(
  client: KubeClient,
  offers: readonly OfferedApi[],
  { signal, dryRun }: { readonly signal: AbortSignal; readonly dryRun: boolean },
): Promise<boolean> {
  const name = controlPlane.backend;
  const binding = await client.resource(ClusterRoleBindings).find({ name }, { signal });
  const [subject] = binding?.subjects ?? [];
  if (subject === undefined) return false;
  const namespace = subject.namespace ?? '';
  const account =
    subject.kind === 'ServiceAccount' ? `system:serviceaccount:${namespace}:${subject.name}` : subject.name;
  const deployment =
    namespace === '' ? undefined : await client.resource(Deployments).find({ namespace, name }, { signal });
  const args = deployment?.spec.template.spec.containers.find((container) => container.name === name)?.args;
  const servesBindings =
    (await client.resource(ClusterRoles).find({ name: appClusterBindingsRole }, { signal })) !== undefined;
  const settings = ruleSettingsFrom(args ?? (servesBindings ? ['--control-plane-mode'] : []));
  for (const { type, object } of backendAccess({ offers, ...settings, account, namespace })) {
    if (!changesWithOffers.has(object.kind)) continue;
    const { live, changes } = await wouldBecome(client, type as ResourceType, object as UnknownObject, signal);
    if (live && changes.length === 0) continue;
    await client.resource(type).apply(object, { fieldManager: catalogueManager, force: true, dryRun, signal });
  }
  return true;
}

/** To whom rights belong stays as it is. */
const changesWithOffers = new Set(['ClusterRole', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']);

interface ClusterRoleBinding extends KubeObject {
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];
}

interface Deployment extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly { readonly name: string; readonly args?: readonly string[] }[] };
    };
  };
}

const kindOf = (kind: string) => typeOf({ apiVersion: '', kind, metadata: {} });
const ClusterRoles = kindOf('ClusterRole');
const ClusterRoleBindings = kindOf(
  'ClusterRoleBinding',
) as ResourceType<KubeObject> as ResourceType<ClusterRoleBinding>;
const Deployments = kindOf('Deployment') as ResourceType<KubeObject> as ResourceType<Deployment>;
