import type { ResourceType } from '@klutch/kube';
import { group } from '../names/groups.ts';
import {
  array,
  enumeration,
  freeForm,
  immutable,
  type Infer,
  type InferFields,
  object,
  required,
  string,
} from '../schema/schema.ts';
import { age, ready } from './columns.ts';
import { conditions } from './condition.ts';
import { groupResourceFields } from './group-resource.ts';
import { crdOf, defineKind, type ObjectOf, resourceTypeOf } from './kind.ts';
import { permissionClaims } from './permission-claim.ts';

const requestedResourceFields = {
  ...groupResourceFields,
  versions: array('Versions wanted; all when absent.', string('A version.', { maxLength: 63 }), { maxItems: 100 }),
  permissionClaims,
};

/** What is asked for; the same in stored requests and in those a backend hands to the CLI. */
export const exportRequestSpec = object('What is asked for.', {
  parameters: freeForm('Settings that only the provider understands.', { rules: [immutable('parameters')] }),
  resources: required(
    array('APIs to export.', object('An API to export.', requestedResourceFields), {
      minItems: 1,
      // Backends ask for one API in each request. Tenants write them, so that their size must have an end.
      maxItems: 100,
      rules: [immutable('resources')],
    }),
  ),
});

const definition = defineKind({
  group,
  kind: 'APIServiceExportRequest',
  plural: 'apiserviceexportrequests',
  scope: 'Namespaced',
  description: 'A request to export APIs to one app cluster. It is done once its phase is not Pending.',
  fields: {
    spec: required(exportRequestSpec),
    status: object(
      'What became of the request.',
      {
        phase: enumeration('How far the request is; final unless Pending.', ['Pending', 'Failed', 'Succeeded'], {
          default: 'Pending',
        }),
        terminalMessage: string('Why the request failed.'),
        conditions,
      },
      // Without it the server would not descend to the default of `phase`.
      { default: {} },
    ),
  },
  columns: [ready, age],
});

/** A request to export APIs to one app cluster. */
export interface APIServiceExportRequest extends ObjectOf<typeof definition> {}

export type RequestedResource = InferFields<typeof requestedResourceFields>;
export type APIServiceExportRequestSpec = Infer<typeof exportRequestSpec>;

export const APIServiceExportRequests: ResourceType<APIServiceExportRequest> = resourceTypeOf(definition);

export const apiServiceExportRequestCrd = crdOf(definition);
