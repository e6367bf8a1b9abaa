import type { JsonObject } from '../objects/api-object.ts';
import { badRequest, type StatusError, unsupportedMediaType } from '../status/status-error.ts';
import { decodeMessage, UnknownField } from './decode-message.ts';
import { protobufKinds } from './kinds.ts';
import { message, one } from './message.ts';

export const protobufMediaType = 'application/vnd.kubernetes.protobuf';

/** Every body begins with this. */
const magic = Buffer.from('k8s\0');

const envelope = message({
  1: one('typeMeta', message({ 1: one('apiVersion', 'string'), 2: one('kind', 'string') })),
  2: one('raw', 'bytes'),
});

/**
 * The object in a body of Kubernetes' protobuf format. kubectl sends it for what it creates without a manifest. Throws a
 * 400 for what is none, and a 415 for kinds and fields that are understood as JSON only.
 */
export function decodeProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, magic.length).equals(magic))
    throw malformed('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  try {
    const { typeMeta, raw } = decodeMessage(body.subarray(magic.length), envelope) as Envelope;
    const { apiVersion = '', kind = '' } = typeMeta ?? {};
    const type =
      protobufKinds.get(`${apiVersion} ${kind}`) ??
      (kind === 'DeleteOptions' ? protobufKinds.get('v1 DeleteOptions') : undefined);
    if (!type) throw jsonOnly();
    return { apiVersion, kind, ...decodeMessage(Buffer.from(raw ?? '', 'base64'), type) };
  } catch (error) {
    if (error instanceof UnknownField) throw jsonOnly();
    if (error instanceof RangeError) throw malformed(error.message);
    throw error;
  }
}

interface Envelope {
  readonly typeMeta?: { readonly apiVersion?: string; readonly kind?: string };
  readonly raw?: string;
}

function jsonOnly(): StatusError {
  return unsupportedMediaType(['application/json', 'application/yaml']);
}

function malformed(problem: string): StatusError {
  return badRequest(`the body is not protobuf of Kubernetes: ${problem}`);
}
