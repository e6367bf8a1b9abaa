import type { EngineFields } from './engine-fields.ts';
import { object, type Schema, text } from './json.ts';

/** Names of claims and composites become values of labels, which are no longer than this. */
const longestName = 63;

/** Keys of the schema of `spec` that arrive in the CRD; the others are ignored. */
const copiedOfSpec = ['description', 'x-kubernetes-validations', 'oneOf', 'x-kubernetes-preserve-unknown-fields'];
const copiedOfStatus = ['description', 'x-kubernetes-validations', 'oneOf'];

/** The schema of a CRD: what the definition says of `spec` and `status`, and the fields of the engine, which win. */
export function deriveSchema(defined: Schema, engine: EngineFields): Schema {
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

function part(
  defined: Schema | undefined,
  copied: readonly string[],
  engine: Readonly<Record<string, Schema>>,
): Schema {
  const required = (defined?.['required'] ?? []) as readonly string[];
  const rest = copied.flatMap((key) => (defined?.[key] === undefined ? [] : [[key, defined[key]] as const]));
  return {
    ...object({ ...fieldsOf(defined), ...engine }, required),
    ...Object.fromEntries(rest),
  };
}

/** A definition may ask for shorter names, not for longer ones. */
function nameLimit(metadata: Schema | undefined): number {
  const asked = fieldsOf(metadata)['name']?.['maxLength'];
  return typeof asked === 'number' ? Math.min(asked, longestName) : longestName;
}

function fieldsOf(
  schema: Schema | undefined,
): Readonly<Record<string, Schema | undefined>> & Readonly<Record<string, Schema>> {
  return (schema?.['properties'] ?? {}) as Readonly<Record<string, Schema>>;
}
