import { Array as List, Optional, type Static, Unsafe } from 'typebox';
import type { Schema } from '../catalogue.ts';
import type { TargetFile } from './composed.ts';
import { fieldSchema } from './field-schema.ts';
import { fields, flag, named, oneOf, ref, text, texts, word } from './parts.ts';

/** The keys of a field that are no backends. */
const fieldProperties = {
  schema: fieldSchema,
  required: Optional(flag('Whether claims must set it.')),
  immutable: Optional(flag('Whether it keeps its first value.')),
  note: Optional(text('A remark for people, such as "The broker refuses it until an operator enables it."')),
};

export interface FieldFile {
  readonly schema: Schema;
  readonly required?: boolean;
  readonly immutable?: boolean;
  readonly note?: string;
  /** By backend. */
  readonly [target: string]: unknown;
}

export const fieldShape = Unsafe<FieldFile>({
  ...fields('A field: its schema, and under the name of each backend where its value goes there.', fieldProperties),
  additionalProperties: ref<TargetFile>('target'),
});

export type ConditionFile =
  | { readonly backend: readonly string[] }
  | { readonly version: readonly string[] }
  | { readonly plan: readonly string[] }
  | { readonly trait: string; readonly in: readonly string[] }
  | { readonly set: string }
  | { readonly field: string; readonly in: readonly string[] };

export const conditionShape = oneOf<ConditionFile>(
  'Something about a claim.',
  fields('It is on one of these backends.', { backend: texts('Names of backends.') }),
  fields('It has one of these versions (spec.service).', { version: texts('Names of versions.') }),
  fields('It has one of these plans.', { plan: texts('Names of plans.') }),
  fields('Its plan has one of these values of a trait.', {
    trait: text('Name of the trait.'),
    in: texts('Values of the trait.'),
  }),
  fields('It sets a field.', { set: text('Path of the field below spec, such as parameters.maxConnections.') }),
  fields('A field has one of these values.', {
    field: text('Path of the field below spec, such as serviceInstanceType.'),
    in: texts('Values.'),
  }),
);

const conditions = (description: string) => List(ref<ConditionFile>('condition'), { description, minItems: 1 });

const requirement = fields('If all of "when" hold, all of "then" must.', {
  when: Optional(conditions('When the requirement applies; without it: always.')),
  then: conditions('What must hold.'),
  message: text('What a developer reads who is refused: one sentence that says what is allowed.'),
});

export type RequirementFile = Static<typeof requirement>;

const column = fields('A column of kubectl get.', {
  type: Optional(word('What it shows; string unless it is said.', ['string', 'integer', 'number', 'boolean', 'date'])),
  jsonPath: text('Path in the claim, such as .status.managed.state.'),
});

const permissionClaim = fields('Objects of another kind that app clusters get together with claims.', {
  version: Optional(text('Version of its API; v1 unless it is said.')),
  owner: Optional(word('On which side the objects are made; Provider unless it is said.', ['Provider', 'Consumer'])),
});

/** What files of services and operations have in common. */
export const offerFields = {
  group: Optional(text('API group of the claims; anynines.com unless it is said.')),
  kind: text('Kind of the claims, such as PostgresqlInstance. The composite has an X before it.'),
  plural: Optional(text('Plural of the kind; the kind in lower case and an s unless it is said.')),
  displayName: text('How people call it.'),
  description: text('What it is good for, in a sentence or two.'),
  documentation: Optional(
    text('Where to read more.', { pattern: '^https?://', title: 'a URL that begins with https:// or http://' }),
  ),
  defaultBackend: Optional(text('The backend of claims that name no Composition; the first unless it is said.')),
  deletePolicy: Optional(
    word('Whether a claim stays until everything composed is gone (Foreground) or goes at once.', [
      'Foreground',
      'Background',
    ]),
  ),
  columns: Optional(named('Columns of kubectl get, by their title.', column)),
  fields: Optional(named('Fields of spec, by name.', ref<FieldFile>('field'))),
  requires: Optional(
    named('What claims must fulfil beyond the schema of single fields, by a name of your choice.', requirement),
  ),
  permissionClaims: Optional(
    named(
      'Objects of other kinds that app clusters get with claims, by resource (secrets) or resource.group.',
      permissionClaim,
    ),
  ),
};
