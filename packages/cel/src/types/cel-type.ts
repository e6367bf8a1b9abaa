/** A type of CEL, as the checker reasons about it. */
export type CelType =
  | { readonly kind: 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'null' | 'timestamp' | 'duration' }
  /** Anything, decided while the expression runs; and what an expression with an error has. */
  | { readonly kind: 'dyn' | 'error' }
  | { readonly kind: 'list'; readonly of: CelType }
  | { readonly kind: 'map'; readonly key: CelType; readonly of: CelType }
  /** An object with declared fields, or a type of a library that is used by name only. */
  | { readonly kind: 'object'; readonly name: string; readonly fields?: ReadonlyMap<string, CelType> }
  | { readonly kind: 'opaque'; readonly name: string; readonly params: readonly CelType[] }
  | { readonly kind: 'type'; readonly of: CelType | undefined }
  /** Stands for any one type within a signature. */
  | { readonly kind: 'param'; readonly name: string };

export const BOOL: CelType = { kind: 'bool' };
export const INT: CelType = { kind: 'int' };
export const UINT: CelType = { kind: 'uint' };
export const DOUBLE: CelType = { kind: 'double' };
export const STRING: CelType = { kind: 'string' };
export const BYTES: CelType = { kind: 'bytes' };
export const NULL: CelType = { kind: 'null' };
export const TIMESTAMP: CelType = { kind: 'timestamp' };
export const DURATION: CelType = { kind: 'duration' };
export const DYN: CelType = { kind: 'dyn' };
export const ERROR: CelType = { kind: 'error' };

export const listOf = (of: CelType): CelType => ({ kind: 'list', of });
export const mapOf = (key: CelType, of: CelType): CelType => ({ kind: 'map', key, of });
export const typeOf = (of: CelType): CelType => ({ kind: 'type', of });
export const param = (name: string): CelType => ({ kind: 'param', name });
export const opaque = (name: string, ...params: CelType[]): CelType => ({ kind: 'opaque', name, params });
export const named = (name: string): CelType => ({ kind: 'object', name });

const OPTIONAL = 'optional_type';
export const optionalOf = (of: CelType): CelType => opaque(OPTIONAL, of);

/** What an optional holds; undefined for a type that is none. */
export function unwrapOptional(type: CelType): CelType | undefined {
  return type.kind === 'opaque' && type.name === OPTIONAL ? type.params[0] : undefined;
}

/** The name by which a value of the type knows its type while an expression runs. */
export function typeNameOf(type: CelType): string {
  switch (type.kind) {
    case 'null':
      return 'null_type';
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'duration':
      return 'google.protobuf.Duration';
    case 'object':
    case 'opaque':
    case 'param':
      return type.name;
    default:
      return type.kind;
  }
}

/** A type as messages show it. */
export function showType(type: CelType): string {
  switch (type.kind) {
    case 'error':
      return '!error!';
    case 'list':
      return `list(${showType(type.of)})`;
    case 'map':
      return `map(${showType(type.key)}, ${showType(type.of)})`;
    case 'object':
    case 'param':
      return type.name;
    case 'opaque':
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(showType).join(', ')})`;
    case 'type':
      return type.of ? `type(${showType(type.of)})` : 'type';
    default:
      return type.kind;
  }
}

export function isSameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  const left = paramsOf(a);
  const right = paramsOf(b);
  if (typeNameOf(a) !== typeNameOf(b) || left.length !== right.length) return false;
  return left.every((part, at) => isSameType(part, right[at] ?? ERROR));
}

/** The types a type is made of. */
export function paramsOf(type: CelType): readonly CelType[] {
  switch (type.kind) {
    case 'list':
      return [type.of];
    case 'map':
      return [type.key, type.of];
    case 'opaque':
      return type.params;
    case 'type':
      return type.of ? [type.of] : [];
    default:
      return [];
  }
}
