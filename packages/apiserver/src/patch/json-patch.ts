import { deepEqual, goQuote } from '@klutch/cel';
import type { Json } from '../objects/api-object.ts';
import { badRequest, StatusError } from '../status/status-error.ts';
import { goJsonKind } from './go-text.ts';
import { copyJson, isObject, ownValue, setValue } from './json-value.ts';

const MAX_OPERATIONS = 10_000;
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

export interface PatchDecoding {
  /** `fieldValidation=Ignore`: the patch is decoded without a look at the types of its fields. Default false. */
  readonly lenient?: boolean;
}

/**
 * The document after a JSON patch (RFC 6902); the input stays as it is. Differs from the RFC where Kubernetes does:
 * `replace` and `copy` accept a missing key of an object, an absent `value` is null, negative indices count from the
 * end. Throws a 400 for what is no patch, a 413 for too many operations, and the same terse 422 as Kubernetes for a
 * patch that does not fit the document, a failed `test` included.
 */
export function applyJsonPatch(document: Json, patch: Json, options: PatchDecoding = {}): Json {
  const operations = decode(patch, options.lenient ?? false);
  if (operations.length > MAX_OPERATIONS) throw tooManyOperations(operations.length);
  const state: State = { root: copyJson(document), copiedBytes: 0 };
  for (const operation of operations) perform(state, operation);
  return state.root;
}

/** Fields of a JSON patch that mean nothing, as strict field validation reports them. */
export function unknownFieldsOfJsonPatch(patch: Json): string[] {
  if (!Array.isArray(patch)) return [];
  return patch.flatMap((operation, index) => {
    if (!isObject(operation)) return [];
    const unknown = Object.keys(operation).filter((key) => !['op', 'path', 'from', 'value'].includes(key));
    return unknown.map((key) => `json patch unknown field ${goQuote(`[${index}].${key}`)}`);
  });
}

interface State {
  root: Json;
  copiedBytes: number;
}

interface Operation {
  readonly op: Json | undefined;
  readonly path: Json | undefined;
  readonly from: Json | undefined;
  readonly value: Json | undefined;
}

function decode(patch: Json, lenient: boolean): readonly Operation[] {
  if (patch === null) return [];
  if (!Array.isArray(patch)) {
    throw lenient
      ? badRequest(`json: cannot unmarshal ${goJsonKind(patch)} into Go value of type jsonpatch.Patch`)
      : badRequest(
          `error decoding patch: json: cannot unmarshal ${goJsonKind(patch)} into Go value of type []handlers.jsonPatchOp`,
        );
  }
  return patch.map((item) => decodeOperation(item, lenient));
}

function decodeOperation(item: Json, lenient: boolean): Operation {
  if (item === null) return { op: undefined, path: undefined, from: undefined, value: undefined };
  if (!isObject(item)) {
    throw lenient
      ? badRequest(`json: cannot unmarshal ${goJsonKind(item)} into Go value of type jsonpatch.Operation`)
      : badRequest(
          `error decoding patch: json: cannot unmarshal ${goJsonKind(item)} into Go value of type handlers.jsonPatchOp`,
        );
  }
  if (!lenient) requireStrings(item);
  const field = (name: string) => ownValue(item, name);
  return { op: field('op'), path: field('path'), from: field('from'), value: field('value') };
}

function requireStrings(item: { [key: string]: Json }): void {
  for (const key of Object.keys(item)) {
    const value = item[key] as Json;
    if (!['op', 'path', 'from'].includes(key) || value === null || typeof value === 'string') continue;
    const kind = goJsonKind(value);
    const problem = `json: cannot unmarshal ${kind} into Go struct field jsonPatchOp.${key} of type string`;
    throw badRequest(`error decoding patch: ${problem}`);
  }
}

function perform(state: State, { op, path, from, value }: Operation): void {
  if (op === 'add') return add(locate(state, path), copyJson(value ?? null));
  if (op === 'remove') return remove(locate(state, path));
  if (op === 'replace') return replace(state, path, copyJson(value ?? null));
  if (op === 'test') return test(state, path, value ?? null);
  if (op === 'move') {
    const source = locate(state, from);
    const moved = read(source);
    remove(source);
    return add(locate(state, path), moved ?? null);
  }
  if (op === 'copy') {
    const copied = copyJson(read(locate(state, from)) ?? null);
    const target = locate(state, path);
    chargeCopy(state, copied);
    return add(target, copied);
  }
  throw doesNotFit();
}

/** A place inside an object or array; it need not exist yet. */
interface Place {
  readonly container: Json[] | { [key: string]: Json };
  readonly key: string;
}

function locate(state: State, pointer: Json | undefined): Place {
  if (typeof pointer !== 'string') throw doesNotFit();
  const [, ...steps] = pointer.split('/');
  const key = steps.pop();
  if (key === undefined) throw doesNotFit();
  let container = asContainer(state.root);
  for (const step of steps) container = asContainer(read({ container, key: unescape(step) }));
  return { container, key: unescape(key) };
}

function asContainer(value: Json | undefined): Place['container'] {
  if (typeof value === 'object' && value !== null) return value;
  throw doesNotFit();
}

function read({ container, key }: Place): Json | undefined {
  if (!Array.isArray(container)) return ownValue(container, key);
  return container[existingIndex(container, key)];
}

function add({ container, key }: Place, value: Json): void {
  if (!Array.isArray(container)) return setValue(container, key, value);
  container.splice(key === '-' ? container.length : indexWithin(key, container.length + 1), 0, value);
}

function remove({ container, key }: Place): void {
  if (Array.isArray(container)) {
    container.splice(existingIndex(container, key), 1);
    return;
  }
  if (!Object.hasOwn(container, key)) throw doesNotFit();
  delete container[key];
}

function replace(state: State, path: Json | undefined, value: Json): void {
  if (path === '') {
    state.root = asContainer(value);
    return;
  }
  const { container, key } = locate(state, path);
  if (Array.isArray(container)) container[existingIndex(container, key)] = value;
  else setValue(container, key, value);
}

function test(state: State, path: Json | undefined, expected: Json): void {
  const actual = path === '' ? state.root : read(locate(state, path));
  if (!deepEqual(actual ?? null, expected)) throw doesNotFit();
}

function chargeCopy(state: State, copied: Json): void {
  state.copiedBytes += Buffer.byteLength(JSON.stringify(copied));
  if (state.copiedBytes > MAX_COPIED_BYTES) throw doesNotFit();
}

function existingIndex(list: readonly Json[], key: string): number {
  return indexWithin(key, list.length);
}

function indexWithin(key: string, size: number): number {
  if (!/^[+-]?\d+$/.test(key)) throw doesNotFit();
  const given = Number(key);
  const index = given < 0 ? given + size : given;
  if (index < 0 || index >= size) throw doesNotFit();
  return index;
}

function unescape(step: string): string {
  return step.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~'));
}

function tooManyOperations(count: number): StatusError {
  const problem = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${count}`;
  return new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${problem}`);
}

function doesNotFit(): StatusError {
  return new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
}
