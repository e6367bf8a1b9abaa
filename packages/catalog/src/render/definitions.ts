import { serviceDescriptionAnnotations } from '@klutch/api';
import type { CompositeResourceDefinition } from '@klutch/xrd';
import type { Catalogue, Field, JsonObject, Operation, Schema, Service } from '../model/catalogue.ts';
import { celOf } from '../rules/cel-of.ts';
import type { Rule } from '../rules/rule.ts';
import { rulesOf } from '../rules/rules-of.ts';
import { compositeNames, compositionName, isService } from './offers.ts';
import { describeOffer } from './service-description.ts';

/** The definition of an offer's kind, which Crossplane makes CRDs of. */
export function definitionOf(offer: Service | Operation, catalogue: Catalogue): CompositeResourceDefinition {
  const { group, kind, plural, columns, deletePolicy } = offer;
  const names = compositeNames(offer);
  const rules = rulesOf(offer, catalogue);
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'CompositeResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: {
      group,
      names,
      claimNames: { kind, plural },
      defaultCompositionRef: { name: compositionName(offer.defaultBackend, offer) },
      ...(deletePolicy === undefined ? {} : { defaultCompositeDeletePolicy: deletePolicy }),
      metadata: { annotations: serviceDescriptionAnnotations(describeOffer(offer, catalogue, rules)) },
      versions: [
        {
          name: 'v1',
          served: true,
          referenceable: true,
          ...(columns.length > 0 ? { additionalPrinterColumns: columns } : {}),
          schema: { openAPIV3Schema: schemaOf(offer, rules) },
        },
      ],
    },
  };
}

function schemaOf(offer: Service | Operation, rules: readonly Rule[]): JsonObject {
  return {
    type: 'object',
    description: offer.description,
    properties: {
      spec: {
        ...objectOf([...fieldsOfService(offer), ...offer.fields, ...parametersOf(offer)]),
        'x-kubernetes-validations': rules.map((rule) => ({ ...celOf(rule) })),
      },
      status: {
        type: 'object',
        properties: { managed: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    },
  };
}

type DefinedField = Pick<Field, 'name' | 'schema' | 'required' | 'note'>;

/** Which versions and plans there are is a matter of rules, so that instances keep what they have. */
function fieldsOfService(offer: Service | Operation): readonly DefinedField[] {
  if (!isService(offer)) return [];
  return [
    ...chosenField('service', `Version of ${offer.displayName}.`, offer.versions),
    ...chosenField('plan', 'What an instance gets.', offer.plans),
  ];
}

function chosenField(name: string, description: string, values: readonly { readonly name: string }[]) {
  const maxLength = Math.max(shortestLimit, ...values.map((value) => value.name.length));
  return values.length > 0 ? [{ name, required: true, schema: { type: 'string', maxLength, description } }] : [];
}

/** Rules about texts without a limit cost too much; names that were ever offered are within this. */
const shortestLimit = 63;

function parametersOf(offer: Service | Operation): readonly DefinedField[] {
  if (!isService(offer) || offer.parameters.length === 0) return [];
  const schema = { ...objectOf(offer.parameters), description: 'Settings of the instance.' };
  return [{ name: 'parameters', required: offer.parameters.some(({ required }) => required), schema }];
}

function objectOf(fields: readonly DefinedField[]): Schema {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(fields.map((field) => [field.name, described(field)])),
  };
}

function described({ schema: written, note }: DefinedField): JsonObject {
  const schema = explained(written);
  const description = [schema['description'], note].filter((text) => text !== undefined).join(' ');
  return description === '' ? schema : { ...schema, description };
}

/** A schema that excludes numbers as a rule, which can say so in a sentence; Kubernetes only says that one was not met. */
function explained(schema: Schema): Schema {
  const { not, ...rest } = schema;
  const { enum: excluded } = (not ?? {}) as { readonly enum?: readonly unknown[] };
  if (!excluded?.every(Number.isInteger) || schema['type'] !== 'integer') return schema;
  const message = [`${excluded.join(' and ')} cannot be used.`, schema['description'] ?? []].flat().join(' ');
  return { ...rest, 'x-kubernetes-validations': [{ rule: `!(self in [${excluded.join(', ')}])`, message }] };
}
