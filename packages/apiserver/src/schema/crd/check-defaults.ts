import {
  buildNode,
  compileSchemaRules,
  deepEqual,
  DEFAULT_FORMATS,
  hasDefault,
  type JsonSchema,
  type Node,
  prune,
  ruleCause,
  valueCheck,
  Walk,
} from '@klutch/cel';
import type { FieldCause } from '../../status/status-error.ts';
import { errorText, invalid } from '../fields/field-error.ts';
import { child, key } from '../fields/field-path.ts';
import { coerceEmbedded } from '../object/coerce-embedded.ts';
import { embeddedProblems } from '../object/embedded-check.ts';
import { itemsOf } from './raw-schema.ts';

const META_FIELDS = new Set(['metadata', 'kind', 'apiVersion']);

/** Makes an object around a value of some field, as far as the nearest resource above. */
type Surround = (value: unknown) => unknown;

/** The resource that a part of a schema belongs to. */
interface Resource {
  readonly schema: JsonSchema;
  readonly surround: Surround;
  /** Whether the part is about the type or the metadata of the resource. */
  readonly isMeta: boolean;
}

/** Checks that the defaults in a schema are values that the schema accepts, with nothing it would remove. */
export function defaultProblems(schema: JsonSchema, path: string): FieldCause[] {
  const root: JsonSchema = { ...schema, 'x-kubernetes-embedded-resource': true };
  return partProblems(root, path, { schema: root, surround: asResource, isMeta: false });
}

/** A resource needs a type; which one does not matter here. */
const asResource: Surround = (value) => ({ apiVersion: 'validation/v1', kind: 'Validation', ...(value as object) });

function partProblems(schema: JsonSchema, path: string, within: Resource): FieldCause[] {
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  const resource = isResource ? { schema, surround: asResource, isMeta: false } : within;
  const items = itemsOf(schema);
  return [
    ...(hasDefault(schema) ? valueProblems(schema, child(path, 'default'), resource) : []),
    ...(items
      ? partProblems(items, child(path, 'items'), { ...resource, surround: (value) => resource.surround([value]) })
      : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      partProblems(property, key(child(path, 'properties'), name), {
        ...resource,
        surround: (value) => resource.surround({ [name]: value }),
        isMeta: resource.isMeta || (isResource && META_FIELDS.has(name)),
      }),
    ),
  ];
}

function valueProblems(
  schema: JsonSchema,
  path: string,
  { schema: resource, surround, isMeta }: Resource,
): FieldCause[] {
  const node = buildNode(schema);
  const { default: value } = schema;
  const unknown = isMeta ? [] : unknownProblems(value, node, path);
  const misfit = isMeta
    ? metaProblems(value, surround(structuredClone(value)), buildNode(resource), path)
    : embeddedValueProblems(value, node, path);
  if (misfit.length > 0) return [...unknown, ...misfit];
  const wrong = valueRuleProblems(value, schema, path);
  return [...unknown, ...(wrong.length > 0 ? wrong : celProblems(value, schema, path, schema === resource))];
}

function metaProblems(value: unknown, object: unknown, resource: Node, path: string): FieldCause[] {
  const { problem } = coerceEmbedded(object, resource);
  const problems = problem ? [problem] : embeddedProblems(object, resource);
  if (problems.length === 0) return [];
  const texts = problems.map(errorText);
  const said = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return [invalid(path, value, `must result in valid metadata: ${said}`)];
}

function unknownProblems(value: unknown, node: Node, path: string): FieldCause[] {
  const pruned = structuredClone(value);
  prune(pruned, node, { dropsNulls: false });
  return deepEqual(pruned, value) ? [] : [invalid(path, value, 'must not have unknown fields')];
}

function embeddedValueProblems(value: unknown, node: Node, path: string): FieldCause[] {
  const { problem } = coerceEmbedded(structuredClone(value), node, path);
  return problem ? [problem] : embeddedProblems(value, node, path);
}

function valueRuleProblems(value: unknown, schema: JsonSchema, path: string): FieldCause[] {
  const walk = new Walk();
  walk.visit(value, valueCheck(schema, { formats: DEFAULT_FORMATS, intOrString: [] }));
  return walk.causes.map((cause) => ({ ...cause, field: cause.field === '<nil>' ? path : child(path, cause.field) }));
}

/** Rules see a default as unchanged, and as new. */
function celProblems(value: unknown, schema: JsonSchema, path: string, isResource: boolean): FieldCause[] {
  const rules = compileSchemaRules(schema, isResource);
  if (!rules) return [];
  const unchanged = rules.check(value, value, path);
  const failures = unchanged.length > 0 ? unchanged : rules.check(value, undefined, path);
  return failures.map(ruleCause);
}
