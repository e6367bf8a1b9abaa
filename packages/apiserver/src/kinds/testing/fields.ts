import type { JsonSchema } from '@klutch/cel';
import type { Field, Form, GoType, Struct } from '../types/go-type.ts';

/** Words to declare structs with, in the manner of Go. */

/** A field, or the bare struct of one. */
type FieldLike = Field | Struct;

type FieldLikes = Readonly<Record<string, FieldLike>>;

/** A struct; `fields` may be a function where types refer to each other. */
export function struct(name: string, fields: FieldLikes | (() => FieldLikes), isAtomic = false): Struct {
  let known: ReadonlyMap<string, Field> | undefined;
  return {
    kind: 'struct',
    name,
    go: `v1.${name}`,
    isAtomic,
    get fields() {
      const declared = typeof fields === 'function' ? fields : () => fields;
      known ??= new Map(Object.entries(declared()).map(([key, field]) => [key, fieldOf(field)]));
      return known;
    },
  };
}

export const text = (): Field => scalar('text', 'string');
/** Text of a Go type with a name of its own, such as `PullPolicy`. */
export const named = (type: string): Field => scalar('text', `v1.${type}`);
export const int32 = (): Field => scalar('int32', 'int32');
export const int64 = (): Field => scalar('int64', 'int64');
export const bool = (): Field => scalar('boolean', 'bool');
export const bytes = (): Field => scalar('bytes', '[]uint8');
export const time = (): Field => scalar('time', 'v1.Time');
export const microTime = (): Field => scalar('microTime', 'v1.MicroTime');
export const quantity = (): Field => scalar('quantity', 'resource.Quantity');
export const intOrString = (): Field => scalar('intOrString', 'intstr.IntOrString');
export const raw = (): Field => plain({ kind: 'raw' });

export function list(items: FieldLike, hints?: JsonSchema): Field {
  return { ...plain({ kind: 'list', items: fieldOf(items).type }), hints };
}

export function dict(values: FieldLike): Field {
  return plain({ kind: 'dict', values: fieldOf(values).type });
}

export function either(options: readonly FieldLike[]): Field {
  return plain({ kind: 'either', options: options.map((option) => fieldOf(option).type) });
}

/** Behind a pointer: absent and empty differ. */
export function ptr(field: FieldLike): Field {
  return { ...fieldOf(field), isPointer: true };
}

/** Shown even when empty. */
export function always(field: FieldLike): Field {
  return { ...fieldOf(field), isAlways: true };
}

/** Required, and shown even when empty. */
export function must(field: FieldLike): Field {
  return { ...always(field), isRequired: true };
}

/** The fields of a struct that is inlined in another one. */
export function inlined(name: string, fields: FieldLikes): FieldLikes {
  const each = ([key, field]: [string, FieldLike]) => [key, { ...fieldOf(field), inlinedFrom: name }] as const;
  return Object.fromEntries(Object.entries(fields).map(each));
}

function fieldOf(field: FieldLike): Field {
  return 'kind' in field ? plain(field) : field;
}

function scalar(form: Form, go: string): Field {
  return plain({ kind: 'scalar', form, go });
}

function plain(type: GoType): Field {
  return { type, isPointer: false, isAlways: false, isRequired: false };
}
