import type { GoType, Struct } from '../types/go-type.ts';

const MACHINERY = 'io.k8s.apimachinery.pkg';
const EXTENSIONS = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

const FORMS: Readonly<Record<string, GoType>> = {
  [`${MACHINERY}.apis.meta.v1.Time`]: { kind: 'scalar', form: 'time', go: 'v1.Time' },
  [`${MACHINERY}.apis.meta.v1.MicroTime`]: { kind: 'scalar', form: 'microTime', go: 'v1.MicroTime' },
  [`${MACHINERY}.api.resource.Quantity`]: { kind: 'scalar', form: 'quantity', go: 'resource.Quantity' },
  [`${MACHINERY}.util.intstr.IntOrString`]: { kind: 'scalar', form: 'intOrString', go: 'intstr.IntOrString' },
  [`${MACHINERY}.apis.meta.v1.FieldsV1`]: { kind: 'raw' },
  [`${MACHINERY}.runtime.RawExtension`]: { kind: 'raw' },
  [`${EXTENSIONS}.JSON`]: { kind: 'raw' },
};

const TEXT: GoType = { kind: 'scalar', form: 'text', go: 'string' };
const BOOLEAN: GoType = { kind: 'scalar', form: 'boolean', go: 'bool' };

/** What may stand in the place of a schema within a schema. */
const ALTERNATIVES: Readonly<Record<string, (schema: Struct) => GoType>> = {
  [`${EXTENSIONS}.JSONSchemaPropsOrArray`]: (schema) => ({ kind: 'list', items: schema }),
  [`${EXTENSIONS}.JSONSchemaPropsOrBool`]: () => BOOLEAN,
  [`${EXTENSIONS}.JSONSchemaPropsOrStringArray`]: () => ({ kind: 'list', items: TEXT }),
};

/** The type behind a name when it is one that reads and writes itself: its fields say nothing about its JSON. */
export function ownForm(name: string, structOf: (name: string) => Struct): GoType | undefined {
  const alternative = ALTERNATIVES[name];
  if (alternative === undefined) return FORMS[name];
  const schema = structOf(`${EXTENSIONS}.JSONSchemaProps`);
  return { kind: 'either', options: [schema, alternative(schema)] };
}
