import type { JsonSchema, ValidationRule } from './json-schema.ts';

declare const shape: unique symbol;

/** One description of a value from which both its JSON schema and its TypeScript type follow. */
export interface Schema<T> {
  readonly json: JsonSchema;
  /** Never set: carries `T` for {@link Infer}. */
  readonly [shape]?: T;
}

/** A field that must be present in its object. All others may be left out. */
export interface RequiredSchema<T> extends Schema<T> {
  readonly required: true;
}

/** Fields of an object, in the order in which they are documented. */
export type Fields = Readonly<Record<string, Schema<unknown>>>;

/** The TypeScript type of the values a schema describes. */
export type Infer<S> = S extends Schema<infer T> ? T : never;

/** The TypeScript type of an object with the given fields. */
export type InferFields<F extends Fields> = Flatten<
  {
    readonly [K in keyof F as F[K] extends RequiredSchema<unknown> ? K : never]: Infer<F[K]>;
  } & {
    readonly [K in keyof F as F[K] extends RequiredSchema<unknown> ? never : K]?: Infer<F[K]>;
  }
>;

type Flatten<T> = { [K in keyof T]: T[K] };

interface Common<T> {
  /** Value the server fills in when the field is absent. */
  readonly default?: T;
  readonly rules?: readonly ValidationRule[];
}

/** Marks a field as required in the object that holds it. */
export function required<T>(schema: Schema<T>): RequiredSchema<T> {
  return { ...schema, required: true };
}

/** Undoes {@link required}, for a field that only some objects must have. */
export function optional<T>(schema: RequiredSchema<T>): Schema<T> {
  return { json: schema.json };
}

export function string(
  description: string,
  options: Common<string> & {
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly pattern?: string;
    readonly format?: 'date-time' | 'byte';
  } = {},
): Schema<string> {
  const { rules, ...limits } = options;
  return { json: { description, type: 'string', ...limits, ...validations(rules) } };
}

/** A string that is one of the given values. */
export function enumeration<const V extends readonly string[]>(
  description: string,
  values: V,
  options: Common<V[number]> = {},
): Schema<V[number]> {
  return {
    json: { description, type: 'string', ...defaultOf(options), enum: values, ...validations(options.rules) },
  };
}

export function boolean(description: string, options: Common<boolean> = {}): Schema<boolean> {
  return { json: { description, type: 'boolean', ...defaultOf(options) } };
}

export function integer(description: string, options: { readonly format?: 'int32' | 'int64' } = {}): Schema<number> {
  return { json: { description, type: 'integer', ...options } };
}

/** A port or quantity, which Kubernetes accepts as number and as text. */
export function intOrString(description: string): Schema<number | string> {
  return { json: { description, 'x-kubernetes-int-or-string': true } };
}

/** How server-side apply merges a list: as a whole, or entry by entry identified by the named fields. */
export type ListMerge = 'atomic' | { readonly keys: readonly [string, ...string[]] };

export function array<T>(
  description: string,
  items: Schema<T>,
  options: Common<readonly T[]> & {
    readonly minItems?: number;
    readonly maxItems?: number;
    readonly merge?: ListMerge;
  } = {},
): Schema<readonly T[]> {
  const { minItems, maxItems } = options;
  return {
    json: {
      description,
      type: 'array',
      ...defaultOf(options),
      ...(minItems === undefined ? {} : { minItems }),
      ...(maxItems === undefined ? {} : { maxItems }),
      items: items.json,
      ...listMerge(options.merge),
      ...validations(options.rules),
    },
  };
}

/** An object whose keys are free and whose values follow one schema. */
export function record<T>(description: string, values: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return { json: { description, type: 'object', additionalProperties: values.json } };
}

/** An object with known fields; the server drops any other. */
export function object<const F extends Fields>(
  description: string,
  fields: F,
  options: Common<InferFields<F>> = {},
): Schema<InferFields<F>> {
  const requiredFields = Object.keys(fields).filter((name) => isRequired(fields[name]));
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.json]));
  return {
    json: {
      description,
      type: 'object',
      ...defaultOf(options),
      ...(requiredFields.length > 0 ? { required: requiredFields } : {}),
      ...(Object.keys(fields).length > 0 ? { properties } : {}),
      ...validations(options.rules),
    },
  };
}

/** An object the server stores as it is, whatever its fields. */
export function freeForm(
  description: string,
  options: { readonly atomic?: true; readonly rules?: readonly ValidationRule[] } = {},
): Schema<Readonly<Record<string, unknown>>> {
  return {
    json: {
      description,
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      ...(options.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
      ...validations(options.rules),
    },
  };
}

/** Refuses every later change of the field of that name. Adding or removing an optional field is not a change. */
export function immutable(field: string): ValidationRule {
  return { rule: 'self == oldSelf', message: `${field} is immutable` };
}

function isRequired(schema: Schema<unknown> | undefined): boolean {
  return schema !== undefined && 'required' in schema;
}

function defaultOf(options: { readonly default?: unknown }): Pick<JsonSchema, 'default'> {
  return options.default === undefined ? {} : { default: options.default };
}

function validations(
  rules: readonly ValidationRule[] | undefined,
): Pick<JsonSchema, 'x-kubernetes-validations'> | undefined {
  return rules === undefined ? undefined : { 'x-kubernetes-validations': rules };
}

function listMerge(merge: ListMerge | undefined): JsonSchema | undefined {
  if (merge === undefined) return undefined;
  if (merge === 'atomic') return { 'x-kubernetes-list-type': 'atomic' };
  return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': merge.keys };
}
