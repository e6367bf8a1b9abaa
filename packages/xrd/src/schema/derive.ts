import type { EngineFields } from './engine-fields.ts';
import { object, type Schema, text } from './json.ts';
import { typedSchema } from './typed.ts';

/** Names of claims and composites become values of labels, which are no longer than this. */
const longestName = 63;

/** Keys of the schemas of `status` and `spec` that arrive in the CRD besides `properties`; the others are ignored. */
const copiedOfStatus = ['description', 'required', 'oneOf', 'x-kubernetes-validations'];
const copiedOfSpec = [...copiedOfStatus, 'x-kubernetes-preserve-unknown-fields'];

/** The schema of a CRD: what the definition says of `spec` and `status`, and the fields of the engine, which win. */
export function deriveSchema(definedByUser: Schema, engine: EngineFields): Schema {
  const defined = typedSchema(definedByUser);
  const { description } = defined;
  const { metadata, spec, status } = fieldsOf(defined);
  return {
    ...(description === undefined ? {} : { description }),
    ...object(
      {
        apiVersion: text,
        kind: text,
        metadata: { type: 'object', properties: { name: { type: 'string', maxLength: nameLimit(metadata) } } },
        spec: part(spec, copiedOfSpec, engine.spec),
        status: part(status, copiedOfStatus, engine.status),
      },
      ['spec'],
    ),
  };
}

function part(defined: Schema = {}, copied: readonly string[], engine: Readonly<Record<string, Schema>>): Schema {
  return {
    ...object({ ...fieldsOf(defined), ...engine }),
    ...Object.fromEntries(Object.entries(defined).filter(([key]) => copied.includes(key))),
  };
}

/** A definition may ask for shorter names, not for longer ones. */
function nameLimit(metadata: Schema | undefined): number {
  const asked = fieldsOf(metadata)['name']?.['maxLength'];
  return typeof asked === 'number' ? Math.min(asked, longestName) : longestName;
}

function fieldsOf(schema: Schema = {}): Readonly<Record<string, Schema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
}
