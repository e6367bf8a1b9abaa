import type { JsonSchema } from '@klutch/cel';
import type { FieldCause } from '../../status/status-error.ts';
import { itemsOf } from '../crd/raw-schema.ts';
import { required } from '../fields/field-error.ts';
import { child, index, key } from '../fields/field-path.ts';

/** A schema and where it stands; undefined where the structure says nothing. */
interface Structure {
  readonly schema: JsonSchema | undefined;
  readonly path: string;
}

/** Checks that junctors speak only about fields and items that the schema has outside of junctors. */
export function completenessProblems(schema: JsonSchema, path: string): FieldCause[] {
  return inJunctors(schema, { schema, path }, path);
}

function inJunctors(
  { not, allOf = [], anyOf = [], oneOf = [] }: JsonSchema,
  structure: Structure,
  path: string,
): FieldCause[] {
  const each = (name: string, parts: readonly JsonSchema[]) =>
    parts.flatMap((part, position) => inPart(part, structure, index(child(path, name), position)));
  return [
    ...(not ? inPart(not, structure, child(path, 'not')) : []),
    ...each('allOf', allOf),
    ...each('anyOf', anyOf),
    ...each('oneOf', oneOf),
  ];
}

function inPart(part: JsonSchema, structure: Structure, path: string): FieldCause[] {
  const { schema } = structure;
  if (!schema) return [missing(structure.path, path)];
  const items = itemsOf(part);
  return [
    ...inJunctors(part, structure, path),
    ...(items
      ? inPart(items, { schema: itemsOf(schema), path: child(structure.path, 'items') }, child(path, 'items'))
      : []),
    ...Object.entries(part.properties ?? {}).flatMap(([name, property]) => {
      const below = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
      const at = key(child(structure.path, 'properties'), name);
      const from = key(child(path, 'properties'), name);
      return below ? inPart(property, { schema: below, path: at }, from) : [missing(at, from)];
    }),
  ];
}

const missing = (path: string, because: string) => required(path, `because it is defined in ${because}`);
