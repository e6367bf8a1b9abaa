import { annotations, APIServiceExports, KlutchError, labels } from '@klutch/api';
import { type KubeClient, type Namespace, Namespaces } from '@klutch/kube';
import { endRegistration } from '../credentials/purge.ts';
import type { OwnRights } from '../grants/own-rights.ts';
import { objectsLeft, typesToLookFor } from '../servicenamespaces/objects-left.ts';
import type { CompleteCatalogue } from '../templates/catalogue.ts';

export interface ReleaseDeps {
  readonly client: KubeClient;
  readonly rights: OwnRights;
  /** Complete: what it does not offer is not looked for. */
  readonly catalogue: Pick<CompleteCatalogue, 'all'>;
}

/**
 * Ends the registration of an app cluster of which no data is left; nothing when it has ended. Throws `KLUTCH_BINDING_IN_USE`, and
 * changes nothing, otherwise.
 */
export async function release(deps: ReleaseDeps, name: string): Promise<void> {
  const { client, rights } = deps;
  const namespace = await client.resource(Namespaces).find({ name });
  if (namespace === undefined || namespace.metadata.deletionTimestamp) return;
  const left = await dataOf(deps, namespace);
  if (left.length > 0) throw stillUsed(name, left);
  await rights.ensure(namespace.metadata);
  await endRegistration(client, namespace);
}

/** Some objects that lie in service namespaces of the app cluster. */
async function dataOf({ client, rights, catalogue }: ReleaseDeps, cluster: Namespace): Promise<readonly Left[]> {
  const { name = '' } = cluster.metadata;
  const { items: exports } = await client.resource(APIServiceExports).list({ namespace: name });
  const types = typesToLookFor(
    exports,
    catalogue.all().map(({ crd }) => crd),
  );
  const found: Left[] = [];
  const signal = AbortSignal.timeout(lookMs);
  const labelSelector = `${labels.clusterNamespace}=${name}`;
  const { items } = await client.resource(Namespaces).list({ labelSelector, signal });
  for (const { metadata } of items.filter((one) => isServiceNamespaceOf(one, cluster))) {
    await rights.ensure(metadata, { signal });
    const objects = await objectsLeft(client, types, metadata.name ?? '', signal);
    if (objects.length > 0) found.push({ appNamespace: appNamespaceOf(metadata), objects });
    if (found.length >= enough) break;
  }
  return found;
}

/** Pure: whether a namespace was made for this registration, and not for an earlier one of the same name. */
export function isServiceNamespaceOf({ metadata }: Namespace, { metadata: cluster }: Namespace): boolean {
  const { [annotations.apiServiceNamespace]: madeFor, [annotations.tenant]: tenant } = metadata.annotations ?? {};
  const isNamedSo = madeFor?.startsWith(`${cluster.name}/`) ?? false;
  return isNamedSo && (tenant === undefined || tenant === `${cluster.name}/${cluster.uid}`);
}

/** What is left of an app namespace. */
export interface Left {
  readonly appNamespace: string;
  readonly objects: readonly string[];
}

/** Pure: why an app cluster is not released, and what to do. */
export function stillUsed(clusterNamespace: string, left: readonly Left[]): KlutchError {
  const listed = left
    .map(({ appNamespace, objects }) => `${objects.join(', ')} of namespace ${appNamespace}`)
    .join('; ');
  return new KlutchError(
    'KLUTCH_BINDING_IN_USE',
    `The control plane still holds objects of this app cluster, such as ${listed}. Its registration stays. ` +
      `Delete these objects in the app cluster, for which their API has to be bound, or ask the operator to purge app cluster ${clusterNamespace}; then run \`klutch unbind --all\` again.`,
  );
}

function appNamespaceOf({ annotations: notes }: Namespace['metadata']): string {
  return notes?.[annotations.apiServiceNamespace]?.split('/')[1] ?? '';
}

/** More would not help anybody. */
const enough = 3;

const lookMs = 20_000;
