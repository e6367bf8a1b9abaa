import {
  annotations,
  type APIServiceBinding,
  type APIServiceExport,
  type CrdVersion,
  type CustomResourceDefinition,
} from '@klutch/api';
import { refOfBinding } from '../bindings/binding-ref.ts';
import type { BoundApi, Isolation, OrphanPolicy } from '../instances/bound-api.ts';
import { keepsConditions } from './status-conditions.ts';

/**
 * Everything that synchronising needs to know of an API whose CRD is in place. Undefined when the two sides serve
 * different things: no version in common, another kind or another scope. Without an export, what its CRD tells has to do, so that users can still delete their objects.
 */
export function boundApiOf(
  binding: APIServiceBinding,
  crd: CustomResourceDefinition,
  apiExport: APIServiceExport | undefined,
): BoundApi | undefined {
  const version = commonVersion(crd, apiExport);
  if (version === undefined) return undefined;
  const { group, names, scope } = crd.spec;
  const isolation = isolationOf(crd, apiExport);
  const appType = {
    group,
    version: version.name,
    plural: names.plural,
    kind: names.kind,
    namespaced: scope === 'Namespaced',
  };
  const marks = binding.metadata.annotations ?? {};
  const takeOverFrom = marks[annotations.takeOverFrom];
  return {
    binding: refOfBinding(binding),
    name: crd.metadata.name ?? '',
    ...(crd.metadata.uid === undefined ? {} : { crdUid: crd.metadata.uid }),
    appType,
    controlPlaneType: { ...appType, namespaced: appType.namespaced || isolation === 'Namespaced' },
    isolation,
    informerScope: apiExport?.spec.informerScope ?? (appType.namespaced ? 'Namespaced' : 'Cluster'),
    statusSubresource: version.subresources?.status !== undefined,
    statusConditions: keepsConditions(version.schema?.openAPIV3Schema),
    orphans: orphanPolicyOf(binding) ?? 'Hold',
    ...(takeOverFrom ? { takeOverFrom } : {}),
  };
}

/** How objects of an export find their place; exports of the Go backend may leave it to the default. */
export function exportedIsolation(apiExport: APIServiceExport): Isolation {
  if (apiExport.spec.scope === 'Namespaced') return 'ServiceNamespace';
  return apiExport.spec.clusterScopedIsolation ?? 'Prefixed';
}

/** What the binding says should become of orphans: `Hold` when it says nothing, undefined when it makes no sense. */
export function orphanPolicyOf(binding: APIServiceBinding): OrphanPolicy | undefined {
  const said = binding.metadata.annotations?.[annotations.orphans] ?? 'Hold';
  return (['Hold', 'Delete', 'Restore'] as const).find((policy) => policy === said);
}

/** The first version of the export, in its order, in which both sides serve the same kind. */
function commonVersion(crd: CustomResourceDefinition, apiExport: APIServiceExport | undefined): CrdVersion | undefined {
  const here = crd.spec.versions.filter(({ served }) => served);
  if (apiExport === undefined) return here[0];
  const { scope, names } = apiExport.spec;
  if (scope !== crd.spec.scope || names.kind !== crd.spec.names.kind) return undefined;
  for (const { name, served } of apiExport.spec.versions) {
    const found = served ? here.find((version) => version.name === name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function isolationOf(crd: CustomResourceDefinition, apiExport: APIServiceExport | undefined): Isolation {
  if (crd.spec.scope === 'Namespaced') return 'ServiceNamespace';
  if (apiExport?.spec.scope === 'Cluster') return exportedIsolation(apiExport);
  const said = crd.metadata.annotations?.[annotations.isolation];
  return (['Prefixed', 'Namespaced', 'None'] as const).find((isolation) => isolation === said) ?? 'Prefixed';
}
