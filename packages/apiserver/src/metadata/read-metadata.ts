import { objectMeta } from '../kinds/published/published-struct.ts';
import { DecodeError, decodeAs } from '../kinds/types/decode.ts';
import { jsonKind } from '../kinds/types/json-kind.ts';
import { writeBack } from '../kinds/types/write-back.ts';
import type { Metadata } from '../objects/api-object.ts';

/** Metadata as it is stored, and the paths of fields that it does not have; or why it is none, in the words of Go. */
export type ReadMetadata =
  | { readonly metadata: Metadata; readonly unknown: readonly string[] }
  | { readonly problem: string };

/**
 * Reads the metadata of an object into the shape in which Kubernetes writes it back: without unknown fields, nulls and
 * what is empty. Values are not copied.
 *
 * @param kind of the object, when it is built-in: errors name the fields of its struct
 */
export function readMetadata(value: unknown, kind: string | undefined): ReadMetadata {
  if (value === undefined || value === null) return { metadata: {}, unknown: [] };
  if (typeof value !== 'object' || Array.isArray(value)) return { problem: noMetadata(value, kind) };
  const metadata = { ...value } as Metadata;
  try {
    const unknown = decodeAs(objectMeta, metadata).map((path) => `metadata.${path}`);
    writeBack(objectMeta, metadata);
    return { metadata, unknown };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    // Built-in kinds are read as a whole, metadata of custom resources by itself; Go names the way to the field.
    return {
      problem: kind === undefined ? error.message : error.message.replace(/(struct field \w+)\./, '$1.metadata.'),
    };
  }
}

function noMetadata(value: unknown, kind: string | undefined): string {
  const place = kind === undefined ? 'Go value' : `Go struct field ${kind}.metadata`;
  return `json: cannot unmarshal ${jsonKind(value)} into ${place} of type v1.ObjectMeta`;
}
