import { Array as List, Optional, type Static, type TSchema, Unsafe } from 'typebox';
import {
  composed,
  instance,
  patchShape,
  serviceBackend,
  targetShape,
  transformShape,
  transformsShape,
} from './composed.ts';
import { excludedValuesShape, fieldSchemaShape } from './field-schema.ts';
import { conditionShape, fieldShape, offerFields } from './offer.ts';
import type { FieldFile } from './offer.ts';
import { fields, flag, named, ref, shortName, text, texts, word } from './parts.ts';

const version = fields('A version that can be ordered.', {
  backends: Optional(texts('Backends that have it; all of the service unless it is said.')),
  retired: Optional(flag('Instances keep it, nobody gets it any more.')),
});

const plan = fields('A plan that can be ordered.', {
  traits: Optional(
    named('Its value of each trait; of a trait that is not named, the first.', text('A value of the trait.')),
  ),
  backends: Optional(texts('Backends that have it; all of the service unless it is said.')),
  description: Optional(text('For whom it is.')),
  cost: Optional(text('What it costs, such as "12 EUR per month".')),
  limits: Optional(named('What an instance gets, for people.', text('Such as 4Gi.'))),
  retired: Optional(flag('Instances keep it, nobody gets it any more.')),
});

const trait = fields('What tells plans apart, such as their size.', {
  values: List(text('A value.'), { description: 'All values, from small to large.', minItems: 1 }),
  change: word('How an instance may change it: grow (to a later value), any, or never.', ['any', 'grow', 'never']),
});

export const serviceFile = fields('A data service of which instances can be had.', {
  service: shortName('Name of the service and of its file; the serviceInstanceType of operations.'),
  ...offerFields,
  versions: Optional(named('Values of spec.service, by name; without any there is no such field.', version)),
  traits: Optional(named('What tells plans apart, by name.', trait)),
  plans: Optional(named('Values of spec.plan, by name; without any there is no such field.', plan)),
  planChange: Optional(word('never: instances keep their plan, whatever its traits.', ['by-traits', 'never'])),
  parameters: Optional(named('Fields of spec.parameters, by name.', ref<FieldFile>('field'))),
  backends: named('Backends that have the service, by name.', serviceBackend),
});

export const operationFile = fields('Something that is done with an instance.', {
  operation: word('Name of the operation and of its file.', ['servicebinding', 'backup', 'restore']),
  ...offerFields,
});

const objectShape = Unsafe<object>({ description: 'An object as JSON.', type: 'object', additionalProperties: {} });

export const backendFile = fields(
  'A kind of automation that makes instances: a service broker, an operator, the API of a vendor. {service} in texts is the name of the service.',
  {
    backend: shortName('Name of the backend and of its file.'),
    displayName: text('How people call it.'),
    description: text('What it is, in a sentence or two.'),
    through: word(
      'resource: composes objects of a provider; object: objects of an operator, inside an Object of provider-kubernetes.',
      ['resource', 'object'],
    ),
    instance: Optional(instance),
    operations: Optional(
      fields('What operations compose.', {
        servicebinding: Optional(composed),
        backup: Optional(composed),
        restore: Optional(composed),
      }),
    ),
    providerConfigs: Optional(
      named(
        'Objects by which providers find the backend, by a name of your choice; one per service where {service} occurs.',
        ref<object>('object'),
      ),
    ),
  },
);

export type ServiceFile = Static<typeof serviceFile>;
export type OperationFile = Static<typeof operationFile>;
export type BackendFile = Static<typeof backendFile>;

/** Shapes that others refer to by name. */
export const definitions: Readonly<Record<string, TSchema>> = {
  condition: conditionShape,
  excludedValues: excludedValuesShape,
  field: fieldShape,
  fieldSchema: fieldSchemaShape,
  object: objectShape,
  patch: patchShape,
  target: targetShape,
  transform: transformShape,
  transforms: transformsShape,
};
