import type { IncomingMessage } from 'node:http';
import { jsonKind } from '../kinds/types/json-kind.ts';
import type { Body } from '../operations/decode-object.ts';
import type { PatchType } from '../operations/patch.ts';
import { unrecognized } from '../operations/refused-body.ts';
import { decodeProtobuf, protobufMediaType } from '../protobuf/decode-protobuf.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { badRequest, tooLarge, unsupportedMediaType } from '../status/status-error.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';

const maxBytes = 3 * 1024 * 1024;

/** Reads the whole body of a request; a body beyond what Kubernetes takes is refused without being kept. */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  if (size > maxBytes) throw tooLarge(`Request entity too large: limit is ${maxBytes}`);
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/** The media type of a request without its parameters; empty when it names none. */
export function mediaTypeOf(request: IncomingMessage): string {
  return request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The object in the body of a create or update. */
export async function readObject(request: IncomingMessage, resource: ServedResource): Promise<Body> {
  const type = requireObjectType(request, resource);
  const bytes = await readBytes(request);
  if (type === protobufMediaType) return { value: decodeProtobuf(bytes), duplicates: [], bytes };
  const text = bytes.toString('utf8');
  const isYaml = type === 'application/yaml';
  const parsed = isYaml ? parseYaml(text) : parseJson(text);
  if ('value' in parsed) return { ...parsed, bytes };
  throw unrecognized(resource, isYaml ? parsed.problem : `${noKind} ${parsed.problem}`, bytes);
}

/** The options in the body of a deletion; undefined when it has none. */
export async function readOptions(request: IncomingMessage): Promise<Body['value'] | undefined> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  const type = requireObjectType(request, { builtIn: true });
  if (type === protobufMediaType) return decodeProtobuf(bytes);
  const isYaml = type === 'application/yaml';
  const parsed = isYaml ? parseYaml(bytes.toString('utf8')) : parseJson(bytes.toString('utf8'));
  if ('value' in parsed) return parsed.value;
  throw badRequest(isYaml ? parsed.problem : `${noKind} ${parsed.problem}`);
}

/** The body of a patch that is JSON. Strategic merge patches are read by somebody of fewer words. */
export function readPatch(bytes: Buffer, type: PatchType): Body {
  const parsed = parseJson(bytes.toString('utf8'));
  if ('problem' in parsed) throw badRequest(`${type === 'strategic' ? '' : 'error decoding patch: '}${parsed.problem}`);
  return { ...parsed, bytes };
}

/** The configuration that is to be applied. */
export function readConfiguration(bytes: Buffer): Body {
  const parsed = parseYaml(bytes.toString('utf8'));
  if ('problem' in parsed) throw badRequest(`error decoding YAML: error converting YAML to JSON: ${parsed.problem}`);
  const { value } = parsed;
  if (value === null || (typeof value === 'object' && !Array.isArray(value)))
    return { ...parsed, value: value ?? {}, bytes };
  const kind = jsonKind(value);
  throw badRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
  );
}

const noKind = "couldn't get version/kind; json parse error:";

function requireObjectType(request: IncomingMessage, { builtIn }: Pick<ServedResource, 'builtIn'>): string {
  const type = request.headers['content-type'] ? mediaTypeOf(request) : 'application/json';
  const accepted = ['application/json', 'application/yaml', ...(builtIn ? [protobufMediaType] : [])];
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  return type;
}
