import {
  type AnyninesAPIServiceExportTemplate,
  annotations,
  apiName,
  type APIServiceExportTemplate,
  type CustomResourceDefinition,
  type InformerScope,
  type OfferedApi,
  offeredApi,
} from '@klutch/api';
import type { Tenant } from '../policy/tenant.ts';
import type { Offer, Refusal } from './catalogue.ts';

/** A template, as far as it matters for an offer. */
export interface Template {
  /** Group, namespace and name: no other template has the same. */
  readonly id: string;
  readonly created: string;
  readonly api: OfferedApi;
  readonly allowedTenants?: readonly string[];
  readonly description?: string;
}

/** Reads a template of either group; undefined when it names no API. */
export function readTemplate(
  object: APIServiceExportTemplate | AnyninesAPIServiceExportTemplate,
): Template | undefined {
  const api = offeredApi(object);
  if (api === undefined) return undefined;
  const { namespace, name, creationTimestamp = '', annotations: notes = {} } = object.metadata;
  const allowed = notes[annotations.allowedTenants];
  const description = notes[annotations.description]?.trim();
  return {
    id: `${object.apiVersion}/${namespace}/${name}`,
    created: creationTimestamp,
    api,
    ...(allowed === undefined ? {} : { allowedTenants: namesIn(allowed) }),
    ...(description ? { description } : {}),
  };
}

/** The one of several templates for the same API that counts: the oldest, so that a later one changes nothing unasked. */
export function decisive(templates: readonly Template[]): Template | undefined {
  return [...templates].sort((a, b) => compare(a.created, b.created) || compare(a.id, b.id))[0];
}

/**
 * The offer that templates for one API and its CRD amount to, or why there is none. Whether a tenant may bind comes
 * before whether the CRD is there: whoever may not have it learns no more than that.
 */
export function judge(
  templates: readonly Template[],
  crd: CustomResourceDefinition | undefined,
  tenant: Pick<Tenant, 'name'> | undefined,
  consumerScope: InformerScope,
): Offer | Refusal {
  const template = decisive(templates);
  if (template === undefined) return 'NotExported';
  if (!admits(template, tenant)) return 'NotEntitled';
  if (crd === undefined) return 'CRDNotFound';
  if (crd.spec.scope === 'Cluster' && consumerScope === 'Namespaced') return 'ScopeRefused';
  // They would open all objects of the claimed types on the control plane, such as all Secrets, to every tenant.
  if (consumerScope === 'Cluster' && template.api.permissionClaims.length > 0) return 'ClaimsRefused';
  return offerOf(template, crd);
}

/** What a template offers, given the CRD it names. */
export function offerOf({ api, allowedTenants, description }: Template, crd: CustomResourceDefinition): Offer {
  return {
    ...api,
    name: apiName(api),
    crd,
    ...(allowedTenants ? { allowedTenants } : {}),
    ...(description ? { description } : {}),
  };
}

function admits({ allowedTenants }: Template, tenant: Pick<Tenant, 'name'> | undefined): boolean {
  return allowedTenants === undefined || (tenant !== undefined && allowedTenants.includes(tenant.name));
}

function namesIn(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Orders by code point, the same everywhere. */
export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
