import { createDiscovery, type Discovery, isKubeError, type KubeClient, type ResourceType } from '@klutch/kube';
import type { Link } from '../link/link.ts';
import type { ClaimedType } from '../link/supervise.ts';

/** A claimed type as both sides serve it, or why it cannot be used. */
export type ServedTypes =
  | { readonly app: ResourceType; readonly controlPlane: ResourceType }
  | { readonly problem: string };

/** Asks both sides for a type; throws when one of them cannot be asked. */
export function createTypeLookup(link: Link, type: ClaimedType): () => Promise<ServedTypes> {
  const app = lookupIn(link.app.client, type);
  const controlPlane = lookupIn(link.controlPlane.client, type);
  return async () => {
    const [here, there] = await Promise.all([app(), controlPlane()]);
    const name =
      type.group === '' ? `${type.resource} ${type.version}` : `${type.resource}.${type.group} ${type.version}`;
    if (here === undefined) return { problem: `The app cluster does not serve ${name}.` };
    if (there === undefined) return { problem: `The control plane does not serve ${name}.` };
    if (!here.namespaced || !there.namespaced)
      return { problem: `${name} is cluster-scoped; only namespaced types can be claimed.` };
    return { app: here, controlPlane: there };
  };
}

function lookupIn(client: KubeClient, type: ClaimedType): () => Promise<ResourceType | undefined> {
  const discovery: Discovery = createDiscovery(client.transport);
  return async () => {
    discovery.invalidate();
    const served = await allOf(discovery);
    const found = served.find(
      ({ group, version, plural }) => group === type.group && version === type.version && plural === type.resource,
    );
    return (
      found && {
        group: found.group,
        version: found.version,
        plural: found.plural,
        kind: found.kind,
        namespaced: found.namespaced,
      }
    );
  };
}

/** Discovery is open to everyone who is known; a server that refuses even that serves nothing that could be used. */
async function allOf(discovery: Discovery): Promise<readonly ResourceType[]> {
  try {
    return await discovery.all();
  } catch (error) {
    if (isKubeError(error, 'KUBE_FORBIDDEN')) return [];
    throw error;
  }
}
