import type { TSchema } from 'typebox';
import { backendFile, definitions, operationFile, serviceFile } from './files.ts';
import type { Shape } from './shape.ts';

/** The JSON Schemas by which editors complete and check the files of a catalogue, by the name of the kind of file. */
export function publishedSchemas(): Readonly<Record<'service' | 'backend' | 'operation', Shape>> {
  return {
    service: publishedSchema('A service of a Klutch catalogue', serviceFile),
    backend: publishedSchema('A backend of a Klutch catalogue', backendFile),
    operation: publishedSchema('An operation of a Klutch catalogue', operationFile),
  };
}

function publishedSchema(title: string, file: TSchema): Shape {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    ...partial(file),
    $defs: { ...definitions, field: partial(definitions['field'] ?? {}) },
  };
}

/**
 * An operator's file may hold only what differs from the one that it is merged over, and null removes what that says. Lists are
 * replaced as a whole, so their items are complete.
 */
function partial(shape: Shape): Shape {
  const { required = [], properties = {}, additionalProperties, ...rest } = shape;
  if (shape.type !== 'object') return shape;
  return {
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, field]) => [
        key,
        required.includes(key) ? partial(field) : removable(field),
      ]),
    ),
    additionalProperties: isShape(additionalProperties) ? removable(additionalProperties) : additionalProperties,
  };
}

function removable(shape: Shape): Shape {
  const { description, ...rest } = partial(shape);
  return { description, anyOf: [rest, { type: 'null' }] };
}

const isShape = (shape: Shape | boolean | undefined): shape is Shape => typeof shape === 'object';
