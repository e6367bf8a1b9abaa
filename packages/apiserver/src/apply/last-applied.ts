import { goJson } from '@klutch/cel';
import type { ApiObject, Json } from '../objects/api-object.ts';
import { isObject } from '../patch/json-value.ts';
import { compare } from './compare.ts';
import { difference, type FieldSet } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { typeProblems } from './validate.ts';
import type { ValueType } from './value-type.ts';

/** Where `kubectl apply` without `--server-side` keeps what was applied. */
const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

const MAX_ANNOTATION_BYTES = 256 * 1024;

/** The manager under which the annotation is honoured and kept up to date. */
export const KUBECTL = 'kubectl';

/**
 * Fields `kubectl` may take over without a conflict: those it applied on the client side before and which are still so.
 * Undefined when there is no usable record of that.
 */
export function lastAppliedFields(type: ValueType, apiVersion: string, live: ApiObject): FieldSet | undefined {
  const lastApplied = parse(live.metadata.annotations?.[ANNOTATION]);
  if (!isObject(lastApplied) || lastApplied.apiVersion !== apiVersion) return undefined;
  const current = live as unknown as Json;
  const fits = [lastApplied, current].every((value) => typeProblems(type, value, NO_DUPLICATES).length === 0);
  if (!fits) return undefined;
  const { modified, added, removed } = compare(type, lastApplied, current);
  return [modified, added, removed].reduce(difference, fieldSetOf(type, lastApplied));
}

/** Brings the annotation up to date, in place, on an object that has it; one that would be too large goes away. */
export function refreshLastApplied(object: ApiObject, applied: ApiObject): void {
  const { annotations } = object.metadata;
  if (!annotations?.[ANNOTATION]) return;
  annotations[ANNOTATION] = `${goJson(withoutAnnotation(applied))}\n`;
  const bytes = Object.entries(annotations).map(([key, value]) => Buffer.byteLength(key) + Buffer.byteLength(value));
  if (bytes.reduce((sum, size) => sum + size, 0) > MAX_ANNOTATION_BYTES) delete annotations[ANNOTATION];
}

const NO_DUPLICATES = { allowDuplicates: false };

function withoutAnnotation(applied: ApiObject): Json {
  if (applied.metadata?.annotations?.[ANNOTATION] === undefined) return applied as unknown as Json;
  const { [ANNOTATION]: _, ...annotations } = applied.metadata.annotations;
  return { ...applied, metadata: { ...applied.metadata, annotations } } as unknown as Json;
}

function parse(text: string | undefined): Json | undefined {
  if (!text) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // An annotation anyone may edit: what cannot be read allows nothing.
    return undefined;
  }
}
