import { goJson } from '@klutch/cel';
import { operatorCauses, requirementCauses } from '../authz/label-selector-causes.ts';
import type { ManagedFieldsEntry, Metadata } from '../objects/api-object.ts';
import { objectMeta } from '../kinds/published/published-struct.ts';
import { invalid, required, ShownAs } from '../schema/fields/field-error.ts';
import { child, index } from '../schema/fields/field-path.ts';
import type { FieldCause } from '../status/status-error.ts';
import type { AccessReviewSpec, PathQuestion, ResourceQuestion, SelectorQuestion } from './access-review-spec.ts';

/** What is wrong with the question of a review. */
export function questionCauses({ resourceAttributes, nonResourceAttributes }: AccessReviewSpec): FieldCause[] {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const problem = 'cannot be specified in combination with resourceAttributes';
    return [invalid('spec.nonResourceAttributes', innerForm(nonResourceAttributes), problem)];
  }
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return [];
  const problem = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalid('spec.resourceAttributes', null, problem)];
}

/** Whether a review says whom it is about. */
export function subjectCauses({ user, groups }: AccessReviewSpec): FieldCause[] {
  if (user !== undefined || groups !== undefined) return [];
  return [invalid('spec.user', '', 'at least one of user or group must be specified')];
}

/** What is wrong with the selectors in a question. */
export function selectorCauses({ fieldSelector, labelSelector }: ResourceQuestion = {}): FieldCause[] {
  const field = 'spec.resourceAttributes';
  return [
    ...shapeCauses(fieldSelector, child(field, 'fieldSelector')),
    ...requirementsOf(fieldSelector, child(field, 'fieldSelector'), (requirement, at) => [
      ...(requirement.key ? [] : [required(child(at, 'key'), 'must be specified')]),
      ...operatorCauses(requirement, at, true),
    ]),
    ...shapeCauses(labelSelector, child(field, 'labelSelector')),
    ...requirementsOf(labelSelector, child(field, 'labelSelector'), (requirement, at) =>
      requirementCauses(requirement, at, true),
    ),
  ];
}

/** A review is no object to be kept, so it has no metadata, apart from what is said to be there. */
export function metadataCauses(metadata: Metadata, isNamespaced: boolean): FieldCause[] {
  const { namespace, managedFields: _noise, ...rest } = metadata;
  const isEmpty = Object.values(rest).every((value) => value === undefined) && (isNamespaced || !namespace);
  if (isEmpty) return [];
  const problem = isNamespaced ? 'must be empty except for namespace' : 'must be empty';
  return [invalid('metadata', new ShownAs(metadataText(metadata)), problem)];
}

/** A local review is about its own namespace only. */
export function localCauses(
  { resourceAttributes, nonResourceAttributes }: AccessReviewSpec,
  namespace: string,
): FieldCause[] {
  const asked = resourceAttributes?.namespace ?? '';
  const isElsewhere = resourceAttributes !== undefined && asked !== namespace;
  return [
    ...(isElsewhere ? [invalid('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace')] : []),
    ...(nonResourceAttributes === undefined
      ? []
      : [
          invalid('spec.nonResourceAttributes', innerForm(nonResourceAttributes), 'disallowed on this kind of request'),
        ]),
  ];
}

function shapeCauses(selector: SelectorQuestion | undefined, field: string): FieldCause[] {
  if (selector === undefined) return [];
  const { rawSelector, requirements } = selector;
  if (rawSelector !== undefined && requirements !== undefined) {
    return [invalid(child(field, 'rawSelector'), rawSelector, 'may not specified at the same time as requirements')];
  }
  if (rawSelector !== undefined || requirements !== undefined) return [];
  return [
    required(child(field, 'requirements'), `when ${field} is specified, requirements or rawSelector is required`),
  ];
}

function requirementsOf(
  selector: SelectorQuestion | undefined,
  field: string,
  causesOf: (requirement: Requirement, field: string) => FieldCause[],
): FieldCause[] {
  const at = child(field, 'requirements');
  return (selector?.requirements ?? []).flatMap((requirement, position) => causesOf(requirement, index(at, position)));
}

type Requirement = NonNullable<SelectorQuestion['requirements']>[number];

/** Kubernetes shows its inner form of the question in messages. */
function innerForm({ path = '', verb = '' }: PathQuestion): object {
  return { Path: path, Verb: verb };
}

/** Metadata as Go shows it: fields of structs in their order, keys of everything else sorted. */
function metadataText({ managedFields, ...metadata }: Metadata): string {
  const known: Readonly<Record<string, unknown>> = metadata;
  const texts = [...objectMeta.fields.keys()]
    .filter((field) => known[field] !== undefined)
    .map((field) => `${JSON.stringify(field)}:${goJson(known[field])}`);
  if (managedFields) texts.push(`"managedFields":[${managedFields.map(inWrittenOrder).join(',')}]`);
  return `{${texts.join(',')}}`;
}

function inWrittenOrder(entry: ManagedFieldsEntry): string {
  const texts = Object.entries(entry).map(([field, value]) => `${JSON.stringify(field)}:${goJson(value)}`);
  return `{${texts.join(',')}}`;
}
