import { type FieldSet, fieldSet } from './field-set.ts';

/** Of kinds that differ from {@link USUAL}, by kind and subresource. */
const OTHERS: Readonly<Record<string, FieldSet>> = {
  'CustomResourceDefinition/status': fieldSet('metadata', 'spec'),
  'ValidatingAdmissionPolicy/status': fieldSet('metadata', 'spec'),
  'APIService/status': fieldSet('metadata', 'spec'),
  'Deployment/status': fieldSet('spec', 'metadata.labels'),
  'Pod/status': fieldSet('spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'),
};

const USUAL: Readonly<Record<string, FieldSet>> = {
  '': fieldSet('status'),
  finalize: fieldSet('status'),
  status: fieldSet('spec'),
};

/** What requests to a built-in kind cannot change: through the object its status, through a subresource the rest. */
export function builtInResetFields(
  kind: string,
  hasStatus: boolean,
  subresource: string | undefined,
): FieldSet | undefined {
  return hasStatus ? (OTHERS[`${kind}/${subresource}`] ?? USUAL[subresource ?? '']) : undefined;
}
