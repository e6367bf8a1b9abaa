import { type FieldSet, fieldSet } from './field-set.ts';

/**
 * What requests to built-in kinds cannot change: through the object its status, through a subresource the rest. By kind,
 * with the subresource behind it; kinds without a status have no entry.
 */
export const builtInResetFields: Readonly<Record<string, FieldSet>> = {
  Namespace: fieldSet('status'),
  'Namespace/status': fieldSet('spec'),
  'Namespace/finalize': fieldSet('status'),
  CustomResourceDefinition: fieldSet('status'),
  'CustomResourceDefinition/status': fieldSet('metadata', 'spec'),
  ValidatingAdmissionPolicy: fieldSet('status'),
  'ValidatingAdmissionPolicy/status': fieldSet('metadata', 'spec'),
  APIService: fieldSet('status'),
  'APIService/status': fieldSet('metadata', 'spec'),
  Deployment: fieldSet('status'),
  'Deployment/status': fieldSet('spec', 'metadata.labels'),
  Pod: fieldSet('status'),
  'Pod/status': fieldSet('spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'),
  Service: fieldSet('status'),
  'Service/status': fieldSet('spec'),
  ResourceQuota: fieldSet('status'),
  'ResourceQuota/status': fieldSet('spec'),
};
