import { goJson, isSchema, type JsonSchema, type ValidationRule } from '@klutch/cel';
import { ShownAs } from '../fields/field-error.ts';
import type { RawSchema } from './raw-schema.ts';

/** Some messages of Kubernetes show schemas and rules as it holds them in memory: every field, by its Go name. */

const text = (value: string | undefined) => goJson(value ?? '');
const flag = (value: boolean | undefined) => goJson(value ?? false);
const maybe = (value: unknown) => goJson(value ?? null);

/** A rule in memory. */
export function internalRule(rule: ValidationRule): ShownAs {
  return new ShownAs(ruleText(rule));
}

/** A schema in memory. */
export function internalSchema(schema: JsonSchema): ShownAs {
  return new ShownAs(schemaText(schema));
}

function ruleText({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: ValidationRule): string {
  return struct([
    ['Rule', text(rule)],
    ['Message', text(message)],
    ['MessageExpression', text(messageExpression)],
    ['Reason', maybe(reason)],
    ['FieldPath', text(fieldPath)],
    ['OptionalOldSelf', maybe(optionalOldSelf)],
  ]);
}

function schemaText(schema: RawSchema): string {
  return struct([
    ['ID', text(schema.id)],
    ['Schema', text(schema.$schema)],
    ['Ref', maybe(schema.$ref)],
    ['Description', text(schema.description)],
    ['Type', text(schema.type)],
    ['Nullable', flag(schema.nullable)],
    ['Format', text(schema.format)],
    ['Title', text(schema.title)],
    ['Default', maybe(schema.default)],
    ['Maximum', maybe(schema.maximum)],
    ['ExclusiveMaximum', flag(schema.exclusiveMaximum)],
    ['Minimum', maybe(schema.minimum)],
    ['ExclusiveMinimum', flag(schema.exclusiveMinimum)],
    ['MaxLength', maybe(schema.maxLength)],
    ['MinLength', maybe(schema.minLength)],
    ['Pattern', text(schema.pattern)],
    ['MaxItems', maybe(schema.maxItems)],
    ['MinItems', maybe(schema.minItems)],
    ['UniqueItems', flag(schema.uniqueItems)],
    ['MultipleOf', maybe(schema.multipleOf)],
    ['Enum', maybe(schema.enum)],
    ['MaxProperties', maybe(schema.maxProperties)],
    ['MinProperties', maybe(schema.minProperties)],
    ['Required', maybe(schema.required)],
    [
      'Items',
      schema.items
        ? struct([
            ['Schema', schemaText(schema.items)],
            ['JSONSchemas', 'null'],
          ])
        : 'null',
    ],
    ['AllOf', list(schema.allOf)],
    ['OneOf', list(schema.oneOf)],
    ['AnyOf', list(schema.anyOf)],
    ['Not', schema.not ? schemaText(schema.not) : 'null'],
    ['Properties', map(schema.properties)],
    ['AdditionalProperties', orBool(schema.additionalProperties)],
    ['PatternProperties', map(schema.patternProperties)],
    ['Dependencies', maybe(schema.dependencies)],
    ['AdditionalItems', orBool(schema.additionalItems)],
    ['Definitions', map(schema.definitions)],
    ['ExternalDocs', maybe(schema.externalDocs)],
    ['Example', maybe(schema.example)],
    ['XPreserveUnknownFields', maybe(schema['x-kubernetes-preserve-unknown-fields'])],
    ['XEmbeddedResource', flag(schema['x-kubernetes-embedded-resource'])],
    ['XIntOrString', flag(schema['x-kubernetes-int-or-string'])],
    ['XListMapKeys', maybe(schema['x-kubernetes-list-map-keys'])],
    ['XListType', maybe(schema['x-kubernetes-list-type'])],
    ['XMapType', maybe(schema['x-kubernetes-map-type'])],
    ['XValidations', rules(schema['x-kubernetes-validations'])],
  ]);
}

const struct = (fields: readonly (readonly [string, string])[]) =>
  `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`;

const list = (schemas: readonly JsonSchema[] | undefined) =>
  schemas ? `[${schemas.map(schemaText).join(',')}]` : 'null';

function map(schemas: Readonly<Record<string, JsonSchema>> | undefined): string {
  if (!schemas) return 'null';
  return `{${Object.keys(schemas)
    .sort()
    .map((name) => `${goJson(name)}:${schemaText(schemas[name] ?? {})}`)
    .join(',')}}`;
}

function orBool(value: JsonSchema | boolean | undefined): string {
  if (value === undefined) return 'null';
  const schema = isSchema(value) ? schemaText(value) : 'null';
  return struct([
    ['Allows', goJson(value !== false)],
    ['Schema', schema],
  ]);
}

const rules = (all: readonly ValidationRule[] | undefined) => (all ? `[${all.map(ruleText).join(',')}]` : 'null');
