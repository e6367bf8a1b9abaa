import { isObject } from './node.ts';

/** How a field of `metadata` looks in JSON; Kubernetes decodes it into a Go struct. */
type Shape =
  | 'string'
  | 'int64'
  | 'time'
  | 'bool'
  | 'json'
  | { readonly mapOf: 'string' }
  | { readonly listOf: 'string' | Struct };

interface Struct {
  readonly go: string;
  readonly fields: Readonly<Record<string, Shape>>;
  /** Fields that are written even when empty. */
  readonly always?: readonly string[];
}

const OWNER_REFERENCE: Struct = {
  go: 'OwnerReference',
  fields: {
    apiVersion: 'string',
    kind: 'string',
    name: 'string',
    uid: 'string',
    controller: 'bool',
    blockOwnerDeletion: 'bool',
  },
  always: ['apiVersion', 'kind', 'name', 'uid'],
};

const MANAGED_FIELDS: Struct = {
  go: 'ManagedFieldsEntry',
  fields: {
    manager: 'string',
    operation: 'string',
    apiVersion: 'string',
    time: 'time',
    fieldsType: 'string',
    fieldsV1: 'json',
    subresource: 'string',
  },
};

const METADATA: Struct = {
  go: 'ObjectMeta',
  fields: {
    name: 'string',
    generateName: 'string',
    namespace: 'string',
    selfLink: 'string',
    uid: 'string',
    resourceVersion: 'string',
    generation: 'int64',
    creationTimestamp: 'time',
    deletionTimestamp: 'time',
    deletionGracePeriodSeconds: 'int64',
    labels: { mapOf: 'string' },
    annotations: { mapOf: 'string' },
    ownerReferences: { listOf: OWNER_REFERENCE },
    finalizers: { listOf: 'string' },
    managedFields: { listOf: MANAGED_FIELDS },
  },
};

/** Why a value cannot be metadata, in the words of Go's JSON decoder; undefined when it can. */
export function metadataShapeProblem(value: unknown): string | undefined {
  if (value === null) return undefined;
  if (!isObject(value)) return `json: cannot unmarshal ${jsonKind(value)} into Go value of type v1.ObjectMeta`;
  return structProblem(value, METADATA);
}

/**
 * Removes from well-formed metadata, in place, fields that metadata does not have and fields that are empty. Returns the
 * names of the unknown ones.
 */
export function tidyMetadata(metadata: Record<string, unknown>): string[] {
  return tidy(metadata, METADATA, '');
}

function structProblem(value: Record<string, unknown>, { go, fields }: Struct): string | undefined {
  for (const [name, shape] of Object.entries(fields)) {
    const problem = fieldProblem(value[name], shape, `${go}.${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function fieldProblem(value: unknown, shape: Shape, field: string): string | undefined {
  if (value === undefined || value === null || shape === 'json') return undefined;
  const mismatch = (type: string, found: unknown = value) =>
    `json: cannot unmarshal ${jsonKind(found)} into Go struct field ${field} of type ${type}`;
  if (shape === 'time') return typeof value === 'string' ? undefined : mismatch('string');
  if (shape === 'string' || shape === 'bool' || shape === 'int64')
    return isScalar(value, shape) ? undefined : mismatch(shape);
  if ('mapOf' in shape) {
    if (!isObject(value)) return mismatch('map[string]string');
    const stray = Object.values(value).find((entry) => entry !== null && typeof entry !== 'string');
    return stray === undefined ? undefined : mismatch('string', stray);
  }
  if (!Array.isArray(value)) return mismatch(shape.listOf === 'string' ? '[]string' : `[]v1.${shape.listOf.go}`);
  return listProblem(value, shape.listOf, mismatch);
}

function listProblem(
  list: readonly unknown[],
  of: 'string' | Struct,
  mismatch: (type: string, found: unknown) => string,
): string | undefined {
  for (const item of list) {
    if (item === null) continue;
    if (of === 'string') {
      if (typeof item !== 'string') return mismatch('string', item);
      continue;
    }
    if (!isObject(item)) return mismatch(`v1.${of.go}`, item);
    const problem = structProblem(item, of);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isScalar(value: unknown, shape: 'string' | 'bool' | 'int64'): boolean {
  if (shape === 'int64') return typeof value === 'number' && Number.isInteger(value);
  return typeof value === (shape === 'bool' ? 'boolean' : 'string');
}

function jsonKind(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function tidy(value: Record<string, unknown>, { fields, always = [] }: Struct, path: string): string[] {
  const unknown: string[] = [];
  for (const [name, field] of Object.entries(value)) {
    const shape = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (shape === undefined) unknown.push(path + name);
    else unknown.push(...tidyList(field, shape, path + name));
    if (shape === undefined || (isEmpty(field) && !always.includes(name))) delete value[name];
  }
  for (const name of always) value[name] ??= '';
  return unknown;
}

function tidyList(value: unknown, shape: Shape, path: string): string[] {
  if (typeof shape !== 'object' || !('listOf' in shape) || shape.listOf === 'string' || !Array.isArray(value))
    return [];
  const { listOf } = shape;
  return value.flatMap((item, at) => (isObject(item) ? tidy(item, listOf, `${path}[${at}].`) : []));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '' || value === 0) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
