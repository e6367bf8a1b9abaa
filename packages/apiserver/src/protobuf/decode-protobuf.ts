import type { JsonObject } from '../objects/api-object.ts';
import { badRequest, type StatusError, unsupportedMediaType } from '../status/status-error.ts';
import { decodeMessage } from './decode-message.ts';
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
 * 400 for what is none, and a 415 for kinds that are understood as JSON only.
 */
export function decodeProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, magic.length).equals(magic))
    throw malformed('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  try {
    const { typeMeta, raw } = decodeMessage(body.subarray(magic.length), envelope) as {
      typeMeta?: JsonObject;
      raw?: string;
    };
    const { apiVersion = '', kind = '' } = typeMeta ?? {};
    const type =
      protobufKinds.get(`${String(apiVersion)} ${String(kind)}`) ??
      (kind === 'DeleteOptions' ? protobufKinds.get('v1 DeleteOptions') : undefined);
    if (!type) throw unsupportedMediaType(['application/json', 'application/yaml']);
    return { apiVersion, kind, ...decodeMessage(Buffer.from(raw ?? '', 'base64'), type) };
  } catch (error) {
    if (error instanceof RangeError) throw malformed(error.message);
    throw error;
  }
}

function malformed(problem: string): StatusError {
  return badRequest(`the body is not protobuf of Kubernetes: ${problem}`);
}
