import type { JsonSchema } from '@klutch/cel';
import type { Field, Form, GoType, Struct } from './go-type.ts';

/** Words to declare the fields of built-in kinds with, in the order and manner of their Go structs. */

/** A field, or the bare struct of one. */
export type FieldLike = Field | Struct;

export type FieldLikes = Readonly<Record<string, FieldLike>>;

/** A struct; `fields` may be a function where types refer to each other. */
export function struct(
  name: string,
  description: string,
  fields: FieldLikes | (() => FieldLikes),
  { isAtomic = false, schema }: { readonly isAtomic?: boolean; readonly schema?: JsonSchema } = {},
): Struct {
  let known: ReadonlyMap<string, Field> | undefined;
  return {
    kind: 'struct',
    name,
    description,
    isAtomic,
    schema,
    get fields() {
      const declared = typeof fields === 'function' ? fields : () => fields;
      known ??= new Map(Object.entries(declared()).map(([key, field]) => [key, fieldOf(field)]));
      return known;
    },
  };
}

/** A struct that server-side apply treats as one value. */
export function atomicStruct(name: string, description: string, fields: FieldLikes): Struct {
  return struct(name, description, fields, { isAtomic: true });
}

export const text = (description?: string, hints?: JsonSchema): Field => scalar('text', 'string', description, hints);
/** Text of a Go type with a name of its own, such as `PullPolicy`. */
export const named = (type: string, description?: string, hints?: JsonSchema): Field =>
  scalar('text', type.includes('.') ? type : `v1.${type}`, description, hints);
export const int32 = (description?: string): Field => scalar('int32', 'int32', description);
export const int64 = (description?: string): Field => scalar('int64', 'int64', description);
export const float = (description?: string): Field => scalar('number', 'float64', description);
export const bool = (description?: string): Field => scalar('boolean', 'bool', description);
export const bytes = (description?: string): Field => scalar('bytes', '[]uint8', description);
export const time = (description?: string): Field => scalar('time', 'v1.Time', description);
export const microTime = (description?: string): Field => scalar('microTime', 'v1.MicroTime', description);
export const quantity = (description?: string): Field => scalar('quantity', 'resource.Quantity', description);
export const intOrString = (description?: string): Field => scalar('intOrString', 'intstr.IntOrString', description);
export const raw = (description?: string): Field => plain({ kind: 'raw' }, description);

/** A list that is replaced as a whole. */
export function list(items: FieldLike, description?: string, hints?: JsonSchema): Field {
  return plain({ kind: 'list', items: fieldOf(items).type }, description, hints);
}

/** A list of scalars in which each value occurs once and has its own owner. */
export function set(items: FieldLike, description?: string, hints?: JsonSchema): Field {
  return list(items, description, { 'x-kubernetes-list-type': 'set', ...hints });
}

/**
 * A list of structs that are told apart by their keys. Strategic merge patches look at one of them, the first unless said
 * otherwise; `retainKeys` is for items in which one choice excludes the others.
 */
export function keyed(keys: string | readonly string[], items: Struct, description?: string, how = 'merge'): Field {
  const names = typeof keys === 'string' ? [keys] : keys;
  return list(items, description, {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': names,
    ...(how === '' ? {} : { 'x-kubernetes-patch-merge-key': names[0], 'x-kubernetes-patch-strategy': how }),
  });
}

export function dict(values: FieldLike, description?: string, hints?: JsonSchema): Field {
  return plain({ kind: 'dict', values: fieldOf(values).type }, description, hints);
}

export function either(options: readonly FieldLike[], description?: string): Field {
  return plain({ kind: 'either', options: options.map((option) => fieldOf(option).type) }, description);
}

/** Behind a pointer: absent and empty differ. */
export function ptr(field: FieldLike, description?: string): Field {
  const { description: own, ...rest } = fieldOf(field);
  return { ...rest, description: description ?? own, isPointer: true };
}

/** Shown even when empty. */
export function always(field: FieldLike): Field {
  return { ...fieldOf(field), isAlways: true };
}

/** Required, and shown even when empty. */
export function must(field: FieldLike, description?: string): Field {
  const { description: own, ...rest } = fieldOf(field);
  return { ...rest, description: description ?? own, isAlways: true, isRequired: true };
}

/** A struct as the value of a field, with words of its own. */
export function value(type: Struct, description?: string, hints?: JsonSchema): Field {
  return plain(type, description, hints);
}

/** The fields of a struct that is inlined in another one. */
export function inlined(name: string, fields: FieldLikes): FieldLikes {
  const each = ([key, field]: [string, FieldLike]) => [key, { ...fieldOf(field), inlinedFrom: name }] as const;
  return Object.fromEntries(Object.entries(fields).map(each));
}

function fieldOf(field: FieldLike): Field {
  return 'kind' in field ? plain(field) : field;
}

function scalar(form: Form, go: string, description?: string, hints?: JsonSchema): Field {
  return plain({ kind: 'scalar', form, go }, description, hints);
}

function plain(type: GoType, description?: string, hints?: JsonSchema): Field {
  return { type, description, hints, isPointer: false, isAlways: false, isRequired: false };
}
