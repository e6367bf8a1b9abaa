import { KlutchError } from '@klutch/api';
import type { KubeClient, ResourceType, UnknownObject } from '@klutch/kube';

/** Something that a user has to be allowed to do. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Absent: in the whole cluster, or for a cluster-scoped type. */
  readonly namespace?: string;
  readonly name?: string;
}

/**
 * Asks the API server about all rights at once, before anything is changed. Throws `KLUTCH_PERMISSION_MISSING` that names
 * every right which is missing, and `otherwise`: what the user can do without them.
 */
export async function requireRights(
  client: KubeClient,
  rights: readonly Right[],
  otherwise: string,
  signal?: AbortSignal,
): Promise<void> {
  const missing = await missingRights(client, rights, signal);
  if (missing.length === 0) return;
  const listed = missing.map(describeRight).join('; ');
  throw new KlutchError('KLUTCH_PERMISSION_MISSING', `You may not ${listed}. Nothing was changed. ${otherwise}`);
}

/** Those of the rights that the user of the client does not have. */
export async function missingRights(
  client: KubeClient,
  rights: readonly Right[],
  signal?: AbortSignal,
): Promise<readonly Right[]> {
  const answers = await Promise.all(rights.map((right) => isAllowed(client, right, signal)));
  return rights.filter((_, at) => answers[at] === false);
}

/** Pure: a right in words, such as `create clusterroles.rbac.authorization.k8s.io`. */
export function describeRight({ verb, group, resource, subresource, namespace, name }: Right): string {
  const type = [resource, group].filter(Boolean).join('.') + (subresource ? `/${subresource}` : '');
  return `${verb} ${type}${name ? ` "${name}"` : ''}${namespace ? ` in namespace ${namespace}` : ''}`;
}

async function isAllowed(client: KubeClient, right: Right, signal?: AbortSignal): Promise<boolean> {
  const review: UnknownObject = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: AccessReviews.kind,
    metadata: {},
    spec: { resourceAttributes: right },
  };
  const { status } = await client.resource(AccessReviews).create(review, { signal });
  return (status as { readonly allowed?: boolean } | undefined)?.allowed === true;
}

const AccessReviews: ResourceType = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
};
