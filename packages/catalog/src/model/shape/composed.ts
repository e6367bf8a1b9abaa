import { Optional, type Static } from 'typebox';
import type { Json, JsonObject } from '../catalogue.ts';
import { fields, json, list, named, oneOf, ref, text, texts, word } from './parts.ts';

export type TransformFile =
  | 'lower-case'
  | 'integer'
  | TraitFile
  | { readonly map: Readonly<Record<string, Json>> }
  | { readonly format: string }
  | { readonly 'trim-prefix': string };

interface TraitFile {
  readonly trait: string;
  readonly values: Readonly<Record<string, Json>>;
}

const traitForm = fields('What a trait of the plan means here.', {
  trait: text('Name of a trait of the service.'),
  values: named('What each value of the trait means.', json('The value for the composed object.')),
});

const transformForms = [
  word('lower-case: a text in lower case; integer: the number that a text spells.', ['lower-case', 'integer']),
  fields('Replaces a value by another.', { map: named('The new value by the old one.', json('The new value.')) }),
  traitForm,
  fields('Puts a text around a value.', { format: text('The text; %s stands for the value.') }),
  fields('Leaves the beginning of a text out.', { 'trim-prefix': text('The beginning.') }),
];

export const transformShape = oneOf<TransformFile>('How a value is changed on its way.', ...transformForms);

/** One, which can be changed in part by a later layer, or several. */
export type TransformsFile = TransformFile | readonly TransformFile[];

export const transformsShape = oneOf<TransformsFile>(
  'How a value is changed on its way: by one transform, or by several, one after the other ([] for none).',
  ...transformForms,
  list('One after the other.', ref<TransformFile>('transform')),
);

export type TargetFile = string | Readonly<Record<string, TransformsFile>>;

export const targetShape = oneOf<TargetFile>(
  'Where the value of the field goes on this backend. A backend that is not named here refuses the field.',
  text('Path in the composed object, or "ignored"; of a parameter, below the place of parameters.'),
  named(
    'Paths in the composed object, and how the value is changed on its way there.',
    ref<TransformsFile>('transforms'),
  ),
);

const patch = fields('A path in the composite, and how the value is changed on its way.', {
  from: text('Path in the composite, such as spec.service.'),
  transforms: Optional(ref<TransformsFile>('transforms')),
});

export type PatchFile = string | Static<typeof patch> | TraitFile;

export const patchShape = oneOf<PatchFile>(
  'Where the value comes from.',
  text('Path in the composite, such as spec.plan.'),
  patch,
  traitForm,
);

const composedFields = {
  base: Optional(ref<JsonObject>('object')),
  patches: Optional(
    named('What is copied from the composite, by path in the composed object.', ref<PatchFile>('patch')),
  ),
  status: Optional(
    named('What is shown under status.managed of the claim, by its name there.', text('Path in the composed object.')),
  ),
  ready: Optional(
    text(
      'CEL about the composed object ("object"): whether it can be used. Only through: object. Without it: its condition Ready.',
    ),
  ),
};

/** What an operation composes on a backend. */
export const composed = fields('The object that is composed.', composedFields);

const instanceFields = {
  ...composedFields,
  parametersAt: Optional(text('Path in the composed object that the parameters of a claim go below.')),
};

/** What instances of all services on a backend have in common. */
export const instance = fields(
  'What every instance on this backend composes, unless its service says otherwise.',
  instanceFields,
);

export const serviceBackend = fields(
  'How instances come about on this backend: over what the file of the backend says under "instance".',
  {
    through: Optional(word('See the file of the backend.', ['resource', 'object'])),
    ...instanceFields,
    operations: Optional(
      list('What can be done with instances.', word('An operation.', ['servicebinding', 'backup', 'restore'])),
    ),
    credentials: Optional(texts('Keys of the Secret that a ServiceBinding gives.')),
  },
);
