import type { JsonSchema } from '@klutch/cel';

/**
 * The types of fields of built-in kinds, as Kubernetes declares them in Go. They decide which JSON is taken, what is
 * wrong with the rest, and which empty fields appear in what clients get back.
 */
export type GoType = Scalar | List | Dict | Struct | Raw | Either;

/** What a scalar looks like in JSON, and how it is rewritten. */
export type Form =
  | 'text'
  | 'int32'
  | 'int64'
  | 'number'
  | 'boolean'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'quantity'
  | 'intOrString';

export interface Scalar {
  readonly kind: 'scalar';
  readonly form: Form;
  /** Name of the type in error messages. */
  readonly go: string;
}

interface List {
  readonly kind: 'list';
  readonly items: GoType;
  /** Name of the type in error messages, where it has one of its own. */
  readonly go?: string;
}

interface Dict {
  readonly kind: 'dict';
  readonly values: GoType;
  /** Name of the type in error messages, where it has one of its own. */
  readonly go?: string;
}

export interface Struct {
  readonly kind: 'struct';
  readonly name: string;
  /** Name of the type in error messages. */
  readonly go: string;
  readonly fields: ReadonlyMap<string, Field>;
  /** Owned as a whole in server-side apply. */
  readonly isAtomic: boolean;
}

/** Any JSON. */
interface Raw {
  readonly kind: 'raw';
}

/** One of several types, told apart by the kind of JSON. Unknown fields within are dropped without a word. */
interface Either {
  readonly kind: 'either';
  readonly options: readonly GoType[];
}

export interface Field {
  readonly type: GoType;
  /** Number in protobuf; that of a field of an inlined struct follows the one of the struct after a dot. */
  readonly number?: string;
  /** Whether a zero value is told from no value. */
  readonly isPointer: boolean;
  /** Whether it is shown even when it is empty. Structs are unless they are behind a pointer. */
  readonly isAlways: boolean;
  readonly isRequired: boolean;
  /** The struct that the field really belongs to, when Go has that inlined. Errors name it. */
  readonly inlinedFrom?: string;
  /** Anything the schema says about the field beyond its type: how lists merge, for the most part. */
  readonly hints?: JsonSchema;
}

/** The name of a type as Go writes it in errors. */
export function goName(type: GoType): string {
  switch (type.kind) {
    case 'scalar':
      return type.go;
    case 'list':
      return type.go ?? `[]${goName(type.items)}`;
    case 'dict':
      return type.go ?? `map[string]${goName(type.values)}`;
    case 'struct':
      return type.go;
    case 'raw':
      return 'v1.JSON';
    case 'either':
      return goName(type.options[0] ?? { kind: 'raw' });
  }
}
