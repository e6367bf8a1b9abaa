import { publishedResources } from '../kinds/published/published-resources.ts';
import { publishedStruct } from '../kinds/published/published-struct.ts';
import type { Struct } from '../kinds/types/go-type.ts';
import type { JsonObject } from '../objects/api-object.ts';
import { apiVersionOf } from '../registry/served-resource.ts';
import { badRequest, type StatusError, unsupportedMediaType } from '../status/status-error.ts';
import { decodeStruct, NotUnderstood } from './decode-struct.ts';
import { fieldsIn, textOf } from './reader.ts';

export const protobufMediaType = 'application/vnd.kubernetes.protobuf';

/** Every body begins with this. */
const magic = Buffer.from('k8s\0');

/**
 * The object in a body of Kubernetes' protobuf format. kubectl sends it for what it creates without a manifest. Throws a
 * 400 for what is none, and a 415 for kinds and fields that are understood as JSON only.
 */
export function decodeProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, magic.length).equals(magic))
    throw malformed('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  try {
    const { apiVersion, kind, raw } = openEnvelope(body.subarray(magic.length));
    const type = typeOf(apiVersion, kind);
    if (!type) throw jsonOnly();
    return { apiVersion, kind, ...decodeStruct(raw, type) };
  } catch (error) {
    if (error instanceof NotUnderstood) throw jsonOnly();
    if (error instanceof RangeError) throw malformed(error.message);
    throw error;
  }
}

/** Kinds that are exchanged besides those that are listed. */
const OTHERS: Readonly<Record<string, string>> = {
  'authentication.k8s.io/v1 TokenRequest': 'io.k8s.api.authentication.v1.TokenRequest',
};

function typeOf(apiVersion: string, kind: string): Struct | undefined {
  // Every group has delete options, and they are all the same.
  if (kind === 'DeleteOptions') return publishedStruct('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions');
  const listed = publishedResources.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion)?.type;
  const name = listed ?? OTHERS[`${apiVersion} ${kind}`];
  return name === undefined ? undefined : publishedStruct(name);
}

function openEnvelope(bytes: Uint8Array) {
  let apiVersion = '';
  let kind = '';
  let raw: Uint8Array = new Uint8Array();
  for (const { number, content } of fieldsIn(bytes)) {
    if (typeof content === 'bigint') continue;
    if (number === 2) raw = content;
    if (number !== 1) continue;
    for (const meta of fieldsIn(content)) {
      if (meta.number === 1) apiVersion = textOf(meta.content);
      if (meta.number === 2) kind = textOf(meta.content);
    }
  }
  return { apiVersion, kind, raw };
}

function jsonOnly(): StatusError {
  return unsupportedMediaType(['application/json', 'application/yaml']);
}

function malformed(problem: string): StatusError {
  return badRequest(`the body is not protobuf of Kubernetes: ${problem}`);
}
