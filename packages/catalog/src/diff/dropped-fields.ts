import type { Json, JsonObject } from '../model/catalogue.ts';
import { isMap } from '../preview/field-path.ts';

/** Pure: fields of a claim that a definition does not know, so that they are pruned. Those of the engine are not looked at. */
export function droppedFields(claim: JsonObject, definition: JsonObject | undefined): readonly string[] {
  const schema = specSchema(definition);
  const spec = isMap(claim['spec']) ? claim['spec'] : {};
  if (schema === undefined) return [];
  const ours = Object.fromEntries(Object.entries(spec).filter(([name]) => !ofEngine.test(name)));
  return unknownFields(ours, schema, 'spec');
}

const ofEngine =
  /^(?:composition|composite|publishConnectionDetailsTo|resourceRef|writeConnectionSecretToRef|crossplane)/;

function unknownFields(value: Json, schema: JsonObject, path: string): readonly string[] {
  const { properties, items, additionalProperties } = schema;
  if (Array.isArray(value)) {
    return isMap(items) ? value.flatMap((item: Json, at) => unknownFields(item, items, `${path}[${at}]`)) : [];
  }
  if (!isMap(value) || schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties !== undefined)
    return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = isMap(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isMap(field) ? unknownFields(inner, field, `${path}.${name}`) : [`${path}.${name}`];
  });
}

/** The schema of `spec` in the version that is stored. */
function specSchema(definition: JsonObject | undefined): JsonObject | undefined {
  const versions = isMap(definition?.['spec']) ? definition['spec']['versions'] : undefined;
  const all = Array.isArray(versions) ? (versions as readonly Json[]).filter(isMap) : [];
  const schema = (all.find(({ referenceable }) => referenceable === true) ?? all[0])?.['schema'];
  const root = isMap(schema) ? schema['openAPIV3Schema'] : undefined;
  const properties = isMap(root) ? root['properties'] : undefined;
  return isMap(properties) && isMap(properties['spec']) ? properties['spec'] : undefined;
}
