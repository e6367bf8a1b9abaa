import type { ResourceType } from '@klutch/kube';
import { anyninesTemplateGroup, templateGroup } from '../names/groups.ts';
import { array, object, optional, required, string } from '../schema/schema.ts';
import { age } from './columns.ts';
import { type GroupResource, groupResourceFields } from './group-resource.ts';
import { crdOf, defineKind, type ObjectOf, resourceTypeOf } from './kind.ts';
import { type PermissionClaim, permissionClaims } from './permission-claim.ts';

const names = { kind: 'APIServiceExportTemplate', plural: 'apiserviceexporttemplates', scope: 'Namespaced' } as const;
const description = 'An entry of the catalogue: an API that may be bound.';
const selectorDescription = 'The API, by group and plural of its CRD.';
const status = object('Nothing is recorded.', {});

// The Go CRDs show a column `Established` which reads a condition this kind has not; what is offered says more.
const columns = [
  { name: 'Group', type: 'string', jsonPath: '.spec.APIServiceSelector.group' },
  { name: 'Resource', type: 'string', jsonPath: '.spec.APIServiceSelector.resource' },
  age,
];

const definition = defineKind({
  group: templateGroup,
  ...names,
  description,
  fields: {
    spec: required(
      object('What is offered.', {
        APIServiceSelector: required(
          object(selectorDescription, {
            ...groupResourceFields,
            version: string('Version; not evaluated.', { minLength: 1 }),
          }),
        ),
        permissionClaims,
      }),
    ),
    status,
  },
  columns,
});

/** The same kind as the anynines distribution knows it: versions are a list, and nothing is required. */
const anyninesDefinition = defineKind({
  group: anyninesTemplateGroup,
  ...names,
  description,
  fields: {
    spec: object('What is offered.', {
      APIServiceSelector: object(selectorDescription, {
        group: groupResourceFields.group,
        resource: optional(groupResourceFields.resource),
        versions: array('Versions; not evaluated.', string('A version.')),
      }),
      permissionClaims,
    }),
    status,
  },
  columns,
});

/** An API that may be bound. */
export interface APIServiceExportTemplate extends ObjectOf<typeof definition> {}

/** An API that may be bound, in the group of the anynines distribution. */
export interface AnyninesAPIServiceExportTemplate extends ObjectOf<typeof anyninesDefinition> {}

export const APIServiceExportTemplates: ResourceType<APIServiceExportTemplate> = resourceTypeOf(definition);
export const AnyninesAPIServiceExportTemplates: ResourceType<AnyninesAPIServiceExportTemplate> =
  resourceTypeOf(anyninesDefinition);

export const apiServiceExportTemplateCrd = crdOf(definition);
export const anyninesAPIServiceExportTemplateCrd = crdOf(anyninesDefinition);

/** What a template offers, whichever group it comes from. */
export interface OfferedApi extends GroupResource {
  readonly group: string;
  readonly permissionClaims: readonly PermissionClaim[];
}

/** Reads a template of either group; undefined when it names no API. */
export function offeredApi(
  template: APIServiceExportTemplate | AnyninesAPIServiceExportTemplate,
): OfferedApi | undefined {
  const { APIServiceSelector: selector, permissionClaims = [] } = template.spec ?? {};
  if (!selector?.resource) return undefined;
  return { group: selector.group ?? '', resource: selector.resource, permissionClaims };
}
