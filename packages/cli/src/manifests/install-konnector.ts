import { appCluster as names, KlutchError } from '@klutch/api';
import { isKubeError, type KubeClient, type UnknownObject } from '@klutch/kube';
import type { Right } from '../cluster/preflight.ts';
import { applyManifest } from './apply-manifest.ts';
import type { KonnectorDecision } from './konnector-decision.ts';
import { inOrder, konnectorManifests, konnectorRights } from './konnector-manifests.ts';
import { typeOf } from './manifest-types.ts';
import { coversRules } from './covers-rules.ts';
import type { Served } from './served-by-konnector.ts';

/** The image of the konnector that is installed; undefined when there is none. */
export async function installedKonnector(client: KubeClient, signal?: AbortSignal): Promise<string | undefined> {
  const found = await findManifest(client, deploymentRef, signal);
  const spec = found?.['spec'] as DeploymentSpec | undefined;
  const containers = spec?.template.spec.containers ?? [];
  return (containers.find(({ name }) => name === names.konnector) ?? containers[0])?.image;
}

/** Rights that a user needs to carry out a decision. */
export function rightsFor(decision: KonnectorDecision): readonly Right[] {
  if (decision.action === 'skip') return [];
  const manifests =
    decision.action === 'apply'
      ? inOrder(konnectorManifests({ image: decision.image, apis: [], claims: [] })).slice(1)
      : konnectorRights({ apis: [], claims: [] });
  return manifests.flatMap((manifest) => {
    const { group, plural } = typeOf(manifest);
    const { name, namespace } = manifest.metadata;
    const place = { group, resource: plural, namespace };
    return [
      { ...place, verb: 'get', name },
      { ...place, verb: 'create' },
      { ...place, verb: 'patch', name },
    ];
  });
}

/** Pure: the manifests that belong to a decision. */
export function manifestsFor(decision: KonnectorDecision, served: Served): readonly UnknownObject[] {
  if (decision.action === 'skip') return [];
  if (decision.action === 'keep') return konnectorRights(served);
  return inOrder(konnectorManifests({ image: decision.image, ...served }));
}

/**
 * Carries out a decision: puts in place what runs the konnector, and the rights for all it serves. Rights go first. A
 * konnector that somebody else installed with more rights keeps them. Throws `KLUTCH_PERMISSION_MISSING` when Kubernetes refuses to let the
 * user hand out rights they do not have.
 */
export async function installKonnector(
  client: KubeClient,
  decision: KonnectorDecision,
  served: Served,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  if (decision.action === 'keep' && (await hasWiderRole(client, served, options.signal))) return;
  for (const manifest of manifestsFor(decision, served)) {
    // It is there already; nothing about it is for the konnector to decide.
    if (manifest.kind !== 'Namespace') await applied(client, manifest, options);
  }
}

/** Asks the API server whether the user may hand out the rights, which only it can tell. Changes nothing. */
export async function checkRoles(
  client: KubeClient,
  decision: KonnectorDecision,
  served: Served,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  if (decision.action === 'keep' && (await hasWiderRole(client, served, options.signal))) return;
  const role = manifestsFor(decision, served).find(({ kind }) => kind === 'ClusterRole');
  if (role !== undefined) await applied(client, role, { ...options, dryRun: true });
}

async function applied(
  client: KubeClient,
  manifest: UnknownObject,
  options: { readonly signal?: AbortSignal; readonly dryRun?: boolean },
): Promise<void> {
  try {
    await applyManifest(client, manifest, options);
  } catch (error) {
    if (!isKubeError(error, 'KUBE_FORBIDDEN')) throw error;
    const what = `${manifest.kind} ${manifest.metadata.name}`;
    const why = error.body?.message?.includes('attempting to grant')
      ? `You may not hand out the rights in ${what}, because you do not have all of them yourself.`
      : `You may not write ${what}.`;
    throw new KlutchError('KLUTCH_PERMISSION_MISSING', `${why} ${withoutRights}`, { cause: error });
  }
}

/** What a user without rights for the konnector can do. */
export const withoutRights =
  'Have an administrator of the cluster run this command, or apply what `klutch konnector manifests` prints and run it again with --skip-konnector.';

/**
 * Whether a konnector that stays as it is may do everything already, as those that the Go CLI installs, so that no API will
 * ever need a right more. False when this user cannot tell.
 */
export async function mayDoEverything(
  client: KubeClient,
  { action }: KonnectorDecision,
  signal?: AbortSignal,
): Promise<boolean> {
  if (action !== 'keep') return false;
  try {
    const role = await findManifest(client, roleRef, signal);
    return coversRules(role?.['rules'], [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]);
  } catch (error) {
    if (isKubeError(error, 'KUBE_FORBIDDEN')) return false;
    throw error;
  }
}

async function hasWiderRole(client: KubeClient, served: Served, signal?: AbortSignal): Promise<boolean> {
  const wanted = konnectorRights(served).find(({ kind }) => kind === 'ClusterRole');
  const found = await findManifest(client, roleRef, signal);
  return wanted !== undefined && found !== undefined && coversRules(found['rules'], wanted['rules']);
}

async function findManifest(
  client: KubeClient,
  wanted: Pick<UnknownObject, 'kind' | 'metadata'>,
  signal?: AbortSignal,
): Promise<UnknownObject | undefined> {
  const { name = '', namespace } = wanted.metadata;
  return client.resource(typeOf({ apiVersion: '', ...wanted })).find({ name, namespace }, { signal });
}

const roleRef = { kind: 'ClusterRole', metadata: { name: names.konnectorRole } };
const deploymentRef = { kind: 'Deployment', metadata: { name: names.konnector, namespace: names.namespace } };

interface DeploymentSpec {
  readonly template: {
    readonly spec: { readonly containers?: readonly { readonly name: string; readonly image?: string }[] };
  };
}
