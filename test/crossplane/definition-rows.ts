import { defaultLayer, definitionOf, readCatalogue } from '@klutch/catalog';
import type { CompositeResourceDefinition, DefinedVersion } from '@klutch/xrd';

/** A definition and what is special about it. */
export interface DefinitionRow {
  readonly title: string;
  readonly definition: CompositeResourceDefinition;
}

const text = { type: 'string' };

/** Definitions that together use everything of which CRDs follow. Each has a group of its own. */
export const definitionRows: readonly DefinitionRow[] = [
  row('as little as possible', {}),
  row('no claims', { claimNames: undefined }),
  row('every name given', {
    names: {
      kind: 'XParcel',
      plural: 'xparcels',
      singular: 'xbox',
      listKind: 'XParcelPile',
      shortNames: ['xp', 'xpcl'],
      categories: ['post'],
    },
    claimNames: {
      kind: 'Parcel',
      plural: 'parcels',
      singular: 'box',
      listKind: 'ParcelPile',
      shortNames: ['pcl'],
      categories: ['post', 'crossplane'],
    },
  }),
  row(
    'labels and annotations',
    { metadata: { labels: { tier: 'gold' }, annotations: { 'post.example/note': 'for CRDs' } } },
    { labels: { tier: 'none', team: 'post' }, annotations: { 'post.example/note': 'for the definition' } },
  ),
  row('policies', {
    defaultCompositeDeletePolicy: 'Foreground',
    defaultCompositionUpdatePolicy: 'Manual',
    defaultCompositionRef: { name: 'by-train' },
    connectionSecretKeys: ['user', 'password'],
    conversion: { strategy: 'None' },
  }),
  row('an enforced Composition', { enforcedCompositionRef: { name: 'by-train' } }),
  row('several versions, one of them deprecated, one not served', {
    versions: [
      version({ type: 'object' }, { name: 'v1', referenceable: true }),
      version({ type: 'object' }, { name: 'v1beta1', deprecated: true, deprecationWarning: 'use v1' }),
      version({ type: 'object' }, { name: 'v1alpha1', served: false, deprecated: false }),
    ],
  }),
  row('columns', {
    versions: [
      version(properties({ spec: object({ plan: text, weight: { type: 'integer' } }) }), {
        referenceable: true,
        additionalPrinterColumns: [
          { name: 'Plan', type: 'string', jsonPath: '.spec.plan', description: 'What it costs.', priority: 1 },
          { name: 'Weight', type: 'integer', format: 'int32', jsonPath: '.spec.weight', priority: 0 },
        ],
      }),
    ],
  }),
  schemaRow('validations of all kinds', {
    description: 'A parcel.',
    ...properties({
      spec: {
        ...object({
          plan: { type: 'string', enum: ['small', 'big'], default: 'small', description: 'Its size.' },
          weight: { type: 'integer', minimum: 0, maximum: 31, exclusiveMaximum: true, multipleOf: 1, format: 'int64' },
          address: {
            ...object({ street: { type: 'string', minLength: 1, maxLength: 80, pattern: '^[A-Z]' }, zip: text }, [
              'zip',
            ]),
            minProperties: 1,
            maxProperties: 4,
            default: { zip: '00000' },
            not: { required: ['planet'] },
          },
          stamps: {
            type: 'array',
            minItems: 0,
            maxItems: 8,
            items: object({ name: text, value: { type: 'number', nullable: true } }, ['name']),
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
          },
          tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
          notes: { type: 'object', additionalProperties: { type: 'string', maxLength: 20 } },
          point: { ...object({ x: text }), 'x-kubernetes-map-type': 'atomic' },
          anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          port: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
          embedded: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        }),
        description: 'What is sent.',
        required: ['plan', 'weight'],
        oneOf: [{ required: ['address'] }, { required: ['point'] }],
      },
      status: {
        ...object({ managed: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, place: text }),
        description: 'Where it is.',
        required: ['place'],
        oneOf: [{ required: ['managed'] }, { required: ['place'] }],
        'x-kubernetes-validations': [{ rule: '!has(self.place) || self.place != ""' }],
      },
    }),
  }),
  schemaRow(
    'rules that know the fields of Crossplane',
    properties({
      spec: {
        ...object({ plan: { type: 'string', maxLength: 20 } }),
        'x-kubernetes-validations': [
          {
            rule: "!has(self.compositionRef) || self.compositionRef.name.startsWith('by-')",
            message: 'only Compositions that go by something',
            reason: 'FieldValueForbidden',
            fieldPath: '.compositionRef',
          },
          {
            rule: '!oldSelf.hasValue() || !has(oldSelf.value().plan) || self.plan == oldSelf.value().plan',
            optionalOldSelf: true,
            messageExpression: '"the plan stays " + self.plan',
          },
          { rule: 'has(self.plan) == has(oldSelf.plan)', optionalOldSelf: false, message: '' },
        ],
      },
    }),
  ),
  schemaRow(
    'a spec that takes everything',
    properties({ spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }),
  ),
  schemaRow('what Crossplane does not take over', {
    title: 'Parcel',
    'x-kubernetes-validations': [{ rule: 'self.metadata.name != "x"' }],
    required: ['status'],
    ...properties({
      metadata: properties({ name: { ...text, maxLength: 20, pattern: '^a' }, labels: { type: 'object' } }),
      spec: {
        ...object({ plan: { ...text, supported: ['small'], 'x-post': 1 } }),
        default: {},
        allOf: [{ required: ['plan'] }],
        anyOf: [{ required: ['plan'] }],
        not: { required: ['nothing'] },
        maxProperties: 100,
        supported: ['plan'],
      },
      status: {
        ...object({ place: text }),
        'x-kubernetes-preserve-unknown-fields': true,
        anyOf: [{ required: ['place'] }],
      },
      other: text,
    }),
  }),
  schemaRow(
    'fields that Crossplane has as well',
    properties({
      metadata: properties({ name: { ...text, maxLength: 100 } }),
      spec: object({ compositionRef: text, resourceRef: text, resourceRefs: text, claimRef: text }, ['compositionRef']),
      status: object({ conditions: text, connectionDetails: text, claimConditionTypes: text }),
    }),
  ),
  schemaRow(
    'values that say nothing',
    properties({
      spec: {
        ...object({ plan: { ...text, description: '', enum: [], nullable: false, default: '', minLength: 0 } }, []),
        description: '',
        oneOf: [],
        'x-kubernetes-validations': [],
      },
      status: object({ more: { type: 'object', properties: {}, additionalProperties: true } }),
    }),
  ),
];

/** The definitions of the catalogue that ships with Klutch. */
export async function catalogueRows(): Promise<readonly DefinitionRow[]> {
  const { catalogue } = readCatalogue([await defaultLayer()]);
  if (catalogue === undefined) throw new Error('the default catalogue has problems');
  return [...catalogue.services, ...catalogue.operations].map((offer) => ({
    title: `what the catalogue says of ${offer.kind}`,
    definition: definitionOf(offer, catalogue),
  }));
}

function row(title: string, spec: Partial<CompositeResourceDefinition['spec']>, metadata: object = {}): DefinitionRow {
  const group = `${title.replaceAll(/[^a-z]+/gi, '-').toLowerCase()}.post.example`;
  return {
    title,
    definition: {
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'CompositeResourceDefinition',
      metadata: { name: `xparcels.${group}`, ...metadata },
      spec: {
        group,
        names: { kind: 'XParcel', plural: 'xparcels' },
        claimNames: { kind: 'Parcel', plural: 'parcels' },
        versions: [version({ type: 'object' }, { referenceable: true })],
        ...spec,
      },
    },
  };
}

function schemaRow(title: string, schema: object): DefinitionRow {
  return row(title, { versions: [version(schema, { referenceable: true })] });
}

function version(schema: object, rest: Partial<DefinedVersion>): DefinedVersion {
  return { name: 'v1', served: true, referenceable: false, schema: { openAPIV3Schema: { ...schema } }, ...rest };
}

function properties(fields: object): { type: string; properties: object } {
  return { type: 'object', properties: fields };
}

function object(fields: object, required?: readonly string[]) {
  return { ...properties(fields), ...(required ? { required } : {}) };
}
