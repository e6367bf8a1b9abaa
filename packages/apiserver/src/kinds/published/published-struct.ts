import type { JsonSchema } from '@klutch/cel';
import type { Field, Form, GoType, Struct } from '../types/go-type.ts';
import { ownForm } from './own-forms.ts';
import { type PublishedSchema, publishedType, referenceOf } from './published-types.ts';

const known = new Map<string, Struct>();

/** The Go struct behind a published type. Its fields are read when they are needed. */
export function publishedStruct(name: string): Struct {
  const struct = known.get(name) ?? readStruct(name);
  known.set(name, struct);
  return struct;
}

/** What every object has. */
export const objectMeta = publishedStruct('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');

function readStruct(type: string): Struct {
  const [version = '', name = ''] = type.split('.').slice(-2);
  let read: Pick<Struct, 'fields' | 'isAtomic'> | undefined;
  const readOnce = () => (read ??= contentOf(type));
  return {
    kind: 'struct',
    name,
    go: `${version}.${name}`,
    get isAtomic() {
      return readOnce().isAtomic;
    },
    get fields() {
      return readOnce().fields;
    },
  };
}

function contentOf(type: string): Pick<Struct, 'fields' | 'isAtomic'> {
  const { go, schema } = publishedType(type);
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(go).map(
    ([key, facts]) => [key, fieldOf(properties[key] ?? {}, facts, required.includes(key))] as const,
  );
  return { fields: new Map(fields), isAtomic: schema['x-kubernetes-map-type'] === 'atomic' };
}

/** `<protobuf number> <Go type>[ omitempty][ omitzero][ inlined <Go type>]` */
const FACTS = /^(\S*) (\S+)(?: (omitempty|omitzero))?(?: inlined (\S+))?$/;

function fieldOf(schema: PublishedSchema, facts: string, isRequired: boolean): Field {
  const [, number = '', go = '', omit, inlinedFrom] = FACTS.exec(facts) ?? [];
  return {
    type: typeOf(schema, go.replace(/^\*/, '')),
    isPointer: go.startsWith('*') || omit === 'omitzero',
    isAlways: omit === undefined,
    isRequired,
    inlinedFrom,
    number,
    hints: hintsOf(schema),
  };
}

/** How lists merge, and what stands for the keys of their items. */
function hintsOf(schema: PublishedSchema): JsonSchema {
  const isScalar = schema.type !== undefined && schema.type !== 'object' && schema.type !== 'array';
  const hints = Object.entries(schema).filter(([keyword]) =>
    isScalar ? keyword === 'default' : keyword.startsWith('x-kubernetes-'),
  );
  return Object.fromEntries(hints);
}

/** @param go its name in Go, empty where only the name of what contains it is known */
function typeOf(schema: PublishedSchema, go: string): GoType {
  const reference = referenceOf(schema);
  if (reference !== undefined) return ownForm(reference, publishedStruct) ?? publishedStruct(reference);
  const { items, additionalProperties } = schema;
  if (items) return { kind: 'list', items: typeOf(items, within(go, '[]')), ...ownName(go, '[]') };
  if (additionalProperties) {
    const values = typeOf(additionalProperties, within(go, 'map[string]'));
    return { kind: 'dict', values, ...ownName(go, 'map[string]') };
  }
  const scalar = SCALARS[`${schema.type} ${schema.format ?? ''}`.trim()];
  return scalar === undefined ? { kind: 'raw' } : { ...scalar, go: go || scalar.go };
}

const SCALARS: Readonly<Record<string, { kind: 'scalar'; form: Form; go: string }>> = {
  string: { kind: 'scalar', form: 'text', go: 'string' },
  'string byte': { kind: 'scalar', form: 'bytes', go: '[]uint8' },
  'integer int32': { kind: 'scalar', form: 'int32', go: 'int32' },
  'integer int64': { kind: 'scalar', form: 'int64', go: 'int64' },
  'number double': { kind: 'scalar', form: 'number', go: 'float64' },
  boolean: { kind: 'scalar', form: 'boolean', go: 'bool' },
};

function within(go: string, wrapper: string): string {
  return go.startsWith(wrapper) ? go.slice(wrapper.length) : '';
}

/** Lists and dicts may have names, such as `v1.ResourceList`. */
function ownName(go: string, wrapper: string): { readonly go?: string } {
  return go === '' || go.startsWith(wrapper) ? {} : { go };
}
