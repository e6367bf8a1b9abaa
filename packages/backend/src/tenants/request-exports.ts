import { apiName, APIServiceExportRequests, APIServiceExports, apiVersion, exportRequestMetadata } from '@klutch/api';
import type { KubeClient } from '@klutch/kube';
import { excusing } from '../objects/excusing.ts';
import type { Offer } from '../templates/catalogue.ts';

/**
 * Asks for exports in the name of an app cluster, as `klutch bind` does with its credential. What is exported already, or asked
 * for, is left alone, so that it can be repeated.
 */
export async function requestExports(client: KubeClient, namespace: string, offers: readonly Offer[]): Promise<void> {
  const requests = client.resource(APIServiceExportRequests);
  for (const offer of offers) {
    const name = apiName(offer);
    if (await client.resource(APIServiceExports).find({ namespace, name })) continue;
    const metadata = { ...exportRequestMetadata(name), namespace };
    await excusing(
      requests.create({ apiVersion, kind: 'APIServiceExportRequest', metadata, spec: requestedSpec(offer) }),
      'KUBE_ALREADY_EXISTS',
    );
  }
}

/** The request for an offer, as commands are told it, too. */
export function requestedSpec({ group, resource, permissionClaims }: Offer) {
  return {
    resources: [{ group, resource, ...(permissionClaims.length > 0 && { permissionClaims: [...permissionClaims] }) }],
  };
}
