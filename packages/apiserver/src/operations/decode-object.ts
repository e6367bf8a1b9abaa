import { goQuote } from '@klutch/cel';
import { jsonKind } from '../kinds/types/json-kind.ts';
import { readMetadata } from '../metadata/read-metadata.ts';
import type { ApiObject, Json, JsonObject } from '../objects/api-object.ts';
import type { Registry } from '../registry/registry.ts';
import { apiVersionOf, type ServedResource } from '../registry/served-resource.ts';
import { badRequest, invalid } from '../status/status-error.ts';
import type { Call } from './call.ts';
import { UnreadableObject } from '../status/unreadable-object.ts';
import { unrecognized } from './refused-body.ts';

/** A body as it was read from a request. */
export interface Body {
  readonly value: Json;
  /** What strict decoding has to say about fields that occur more than once in the text. */
  readonly duplicates: readonly string[];
  /** The bytes that were sent; absent when the value was made by the server. */
  readonly bytes?: Buffer;
}

/**
 * Turns a body into an object of the resource, with unknown fields removed; they are refused, warned of or ignored as
 * the client asked. The body's value is used up.
 */
export function decodeObject(body: Body, call: Call, registry: Registry): ApiObject {
  const { resource } = call;
  const value = requireKind(body, resource, registry);
  const read = readMetadata(value['metadata'], resource.builtIn ? resource.kind : undefined);
  if ('problem' in read) throw new UnreadableObject(resource, read.problem);
  const object = shaped(value, resource, read.metadata);
  const unknown = [...read.unknown, ...(resource.schema?.prune(object) ?? [])];
  // Fields of custom resources are found in the order of their paths, whatever the text.
  reportUnknown(resource.builtIn ? unknown : unknown.sort(), body.duplicates, call);
  return object;
}

/** Refuses or warns of fields that nobody will read. */
export function reportUnknown(unknown: readonly string[], duplicates: readonly string[], call: Call): void {
  if (call.fieldValidation === 'Ignore') return;
  const problems = [...duplicates, ...unknown.map((path) => `unknown field ${goQuote(path)}`)];
  if (problems.length === 0) return;
  if (call.fieldValidation === 'Strict') {
    throw new UnreadableObject(call.resource, `strict decoding error: ${problems.join(', ')}`);
  }
  for (const problem of problems.flatMap(warningsOf)) call.warn(problem);
}

const yamlProblems = 'yaml: unmarshal errors:\n';

/** YAML decoders report everything at once, one line each. */
function warningsOf(problem: string): readonly string[] {
  if (!problem.startsWith(yamlProblems)) return [problem];
  return problem
    .slice(yamlProblems.length)
    .split('\n')
    .map((line) => line.trim());
}

/** The fields of a body that says, or at least does not deny, that it is an object of the resource. */
function requireKind(body: Body, resource: ServedResource, registry: Registry): JsonObject {
  const value = resource.builtIn ? (body.value ?? {}) : body.value;
  const problem = shapeProblem(value, resource);
  if (problem !== undefined) throw unrecognized(resource, problem, bytesOf(body));
  const fields = (value ?? {}) as JsonObject;
  const said = typeOf(fields);
  if (said.group.includes('/') || said.version.includes('/')) {
    throw unrecognized(resource, `unexpected GroupVersion string: ${said.group}/${said.version}`, bytesOf(body));
  }
  if (resource.builtIn) requireBuiltIn(said, resource, registry);
  else requireCustom(said, fields, body, resource);
  return fields;
}

const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function shapeProblem(value: Json, { builtIn }: ServedResource): string | undefined {
  const parse = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  if (value === null) return builtIn ? undefined : "Object 'Kind' is missing in 'null'";
  if (typeof value !== 'object' || Array.isArray(value)) {
    return `${parse} ${jsonKind(value)} into Go value of type ${typeMeta}`;
  }
  for (const field of ['apiVersion', 'kind']) {
    const said = value[field] ?? '';
    if (typeof said !== 'string') return `${parse} ${jsonKind(said)} into Go struct field .${field} of type string`;
  }
  return undefined;
}

interface SaidType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

function typeOf({ apiVersion, kind }: JsonObject): SaidType {
  const text = (apiVersion ?? '') as string;
  const slash = text.indexOf('/');
  const [group, version] = slash === -1 ? ['', text] : [text.slice(0, slash), text.slice(slash + 1)];
  return { group, version, kind: (kind ?? '') as string };
}

/** Built-in kinds may leave out what the path says. */
function requireBuiltIn(said: SaidType, resource: ServedResource, registry: Registry): void {
  const sameGroup = said.group === '' || said.group === resource.group;
  const type = {
    group: said.version === '' && sameGroup ? resource.group : said.group,
    version: said.version === '' && sameGroup ? resource.version : said.version,
    kind: said.kind === '' ? resource.kind : said.kind,
  };
  const apiVersion = apiVersionOf(type);
  if (apiVersion === apiVersionOf(resource) && type.kind === resource.kind) return;
  if (isBuiltIn(registry, apiVersion, type.kind)) {
    const own = resource.group === '' ? 'core' : (resource.group.split('.')[0] ?? '');
    const problem = `converting (${type.version}.${type.kind}) to (${own}.${resource.kind}): unknown conversion`;
    throw new UnreadableObject(resource, problem, type);
  }
  throw new UnreadableObject(resource, unregistered(apiVersion, type.kind), type);
}

function isBuiltIn(registry: Registry, apiVersion: string, kind: string): boolean {
  const found = registry.forKind(apiVersion, kind) ?? registry.forKind(apiVersion, kind.replace(/List$/, ''));
  return found?.builtIn === true;
}

/** A kind that nobody has heard of. */
export function unregistered(apiVersion: string, kind: string): string {
  const scheme = 'pkg/api/legacyscheme/scheme.go:30';
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme ${goQuote(scheme)}`;
}

/** Custom resources have to say what they are. */
function requireCustom(said: SaidType, fields: JsonObject, body: Body, resource: ServedResource): void {
  if (said.kind === '') {
    const text = (body.bytes ?? Buffer.from(JSON.stringify(body.value))).toString('utf8');
    throw unrecognized(resource, `Object 'Kind' is missing in '${text}'`, bytesOf(body));
  }
  const [apiVersion, expected] = [apiVersionOf(said), apiVersionOf(resource)];
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (said.kind === resource.kind) return;
  const { metadata } = fields;
  const sent = typeof metadata === 'object' && metadata !== null && 'name' in metadata ? metadata.name : undefined;
  const name = typeof sent === 'string' ? sent : '';
  const message = `Invalid value: ${goQuote(said.kind)}: must be ${resource.kind}`;
  throw invalid(resource.group, said.kind, name, [{ reason: 'FieldValueInvalid', field: 'kind', message }]);
}

function bytesOf({ bytes, value }: Body): Buffer {
  return bytes ?? Buffer.from(JSON.stringify(value));
}

/** The object with its type first, in the order in which Kubernetes writes it. */
function shaped(value: JsonObject, resource: ServedResource, metadata: object): ApiObject {
  const { apiVersion: _, kind: _kind, metadata: _metadata, ...fields } = value;
  const [apiVersion, kind] = [apiVersionOf(resource), resource.kind];
  const type = resource.builtIn ? { kind, apiVersion } : { apiVersion, kind };
  return { ...type, metadata, ...fields };
}
