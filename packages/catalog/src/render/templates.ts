import { type APIServiceExportTemplate, templateGroup } from '@klutch/api';
import type { Catalogue, PermissionClaim } from '../model/catalogue.ts';
import { offersOf } from './offers.ts';

/** What app clusters may bind: one template for each kind. */
export function templatesOf(catalogue: Catalogue): readonly APIServiceExportTemplate[] {
  return offersOf(catalogue).map(({ group, plural, claims }) => ({
    apiVersion: `${templateGroup}/v1alpha1`,
    kind: 'APIServiceExportTemplate',
    metadata: { name: plural, namespace: 'crossplane-system' },
    spec: {
      APIServiceSelector: { group, resource: plural, version: 'v1' },
      ...(claims.length > 0 ? { permissionClaims: claims.map(permissionClaim) } : {}),
    },
  }));
}

function permissionClaim({ group, resource, version, owner }: PermissionClaim) {
  return { ...(group === '' ? {} : { group }), resource, version, selector: { owner } };
}
