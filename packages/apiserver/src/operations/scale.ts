import type { ReviewedObject } from '../admission/admission-attributes.ts';
import { trackScale } from '../apply/index.ts';
import type { ApiObject, Json, JsonObject } from '../objects/api-object.ts';
import { applyJsonPatch, applyMergePatch } from '../patch/index.ts';
import { ownValue, setValue } from '../patch/json-value.ts';
import { apiVersionOf, keyOf, type ScalePaths, type ServedResource } from '../registry/served-resource.ts';
import { labelSelectorFrom } from '../select/index.ts';
import { readJsonPath } from '../table/json-path.ts';
import { badRequest, conflict, internalError, invalid, notFound, StatusError } from '../status/status-error.ts';
import type { Entry } from '../storage/types.ts';
import type { ObjectCall, Result, World } from './call.ts';
import { unregistered } from './decode-object.ts';
import { viewObject } from './stored-view.ts';
import { modified, writeUpdate } from './write-update.ts';

/** How many replicas an object wants and has, in the form every kind shares. */
export function readScale(world: World, call: ObjectCall): Result {
  const { object, paths } = requireScalable(world, call);
  requireReplicas(object, paths);
  return { code: 200, object: scaleOf(object, paths) };
}

/** Sets how many replicas an object wants (PUT on the scale subresource). */
export function writeScale(world: World, call: ObjectCall, wanted: Json): Promise<Result> {
  const { entry, object, paths } = requireScalable(world, call);
  const { metadata, spec } = requireScale(wanted, call);
  const version = metadata?.resourceVersion;
  if (version && version !== object.metadata.resourceVersion) throw conflict(call.resource, call.name, modified);
  const replicas = spec?.replicas ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas))
    throw badRequest('spec.replicas of a Scale must be an integer');
  if (replicas < 0) throw negativeReplicas(call, paths, replicas);
  return setReplicas(world, call, entry, object, paths, replicas);
}

/** Patches the scale subresource. */
export function patchScale(
  world: World,
  call: ObjectCall,
  type: 'json' | 'merge' | 'strategic',
  patch: Json,
): Promise<Result> {
  const { object, paths } = requireScalable(world, call);
  const before = JSON.parse(JSON.stringify(scaleOf(object, paths))) as { [key: string]: Json };
  return writeScale(world, call, type === 'json' ? applyJsonPatch(before, patch) : applyMergePatch(before, patch));
}

interface Scale {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly spec?: { readonly replicas?: unknown };
}

function requireScale(value: Json, { resource }: ObjectCall): Scale {
  const { apiVersion = 'autoscaling/v1', kind = 'Scale' } = (value ?? {}) as { apiVersion?: string; kind?: string };
  if (apiVersion === 'autoscaling/v1' && kind === 'Scale') return (value ?? {}) as Scale;
  if (!resource.builtIn) {
    throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:110"');
  }
  const version = apiVersion.split('/').at(-1);
  throw badRequest(`${kind} in version "${version}" cannot be handled as a Scale: ${unregistered(apiVersion, kind)}`);
}

function negativeReplicas({ resource, name }: ObjectCall, paths: ScalePaths, replicas: number): StatusError {
  const value = `Invalid value: ${replicas}:`;
  const cause = (field: string, message: string) => [{ reason: 'FieldValueInvalid', field, message }];
  if (resource.builtIn) {
    return invalid('autoscaling', 'Scale', name, cause('spec.replicas', `${value} must be greater than or equal to 0`));
  }
  const message = `${value} should be a non-negative integer`;
  return invalid(resource.group, resource.kind, name, cause(paths.specReplicasPath, message));
}

/** Applying would need the kind of the object in the version of the scale, which custom resources do not have. */
export function applyScale(world: World, call: ObjectCall): never {
  requireScalable(world, call);
  const problem = 'autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid group/version';
  const object = `${call.namespace ?? ''}/${call.name}`;
  throw new StatusError(500, '', `failed to convert new object (${object}; ${problem}: autoscaling/v1`);
}

function requireScalable(world: World, { resource, name, namespace }: ObjectCall) {
  const entry = world.store.get(resource.bucket, keyOf(resource.namespaced ? namespace : undefined, name));
  if (!entry || !resource.scale) throw notFound(resource, name);
  return { entry, object: viewObject(entry, resource), paths: resource.scale };
}

async function setReplicas(
  world: World,
  call: ObjectCall,
  entry: Entry,
  old: ApiObject,
  paths: ScalePaths,
  replicas: number,
): Promise<Result> {
  const wanted = JSON.parse(JSON.stringify(old)) as ApiObject;
  setAt(wanted, paths.specReplicasPath, replicas);
  const resource: ServedResource = call.resource;
  const result = await writeUpdate(
    world,
    { ...call, subresource: undefined },
    {
      entry,
      old,
      wanted,
      shown: {
        subresource: 'scale',
        kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
        of: (object) => scaleOf(object, paths),
      },
      track: (updated) => {
        const scaled = { ...updated, metadata: { ...updated.metadata, managedFields: old.metadata.managedFields } };
        const replicasPaths = new Map([[apiVersionOf(resource), paths.specReplicasPath]]);
        return trackScale({ scaled, apiVersion: apiVersionOf(resource), replicasPaths, manager: call.fieldManager });
      },
    },
  );
  const now = 'entry' in result ? viewObject(result.entry, resource) : (result.object as ApiObject);
  return { code: 200, object: scaleOf(now, paths) };
}

function scaleOf(object: ApiObject, paths: ScalePaths): ReviewedObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = selectorText(object, paths);
  const scale = {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    // Zero stands for none where a scale is about to be written.
    spec: { replicas: Number(readJsonPath(object, paths.specReplicasPath)[0] ?? 0) },
    status: {
      replicas: Number(readJsonPath(object, paths.statusReplicasPath)[0] ?? 0),
      ...(selector === undefined ? {} : { selector }),
    },
  };
  return scale;
}

/** Built-in kinds have a selector where custom resources have its text. */
function selectorText(object: ApiObject, { labelSelectorPath }: ScalePaths): string | undefined {
  const [selector] = labelSelectorPath ? readJsonPath(object, labelSelectorPath) : [];
  if (typeof selector === 'string') return selector;
  if (typeof selector !== 'object' || selector === null) return undefined;
  return labelSelectorFrom(isLabels(selector) ? { matchLabels: selector } : selector).toString();
}

/** Replication controllers have labels where newer kinds have a selector. */
function isLabels(selector: object): selector is Record<string, string> {
  return Object.values(selector).every((value) => typeof value === 'string');
}

function requireReplicas(object: ApiObject, { specReplicasPath }: ScalePaths): void {
  if (readJsonPath(object, specReplicasPath).length > 0) return;
  throw internalError(`the spec replicas field ${JSON.stringify(specReplicasPath)} does not exist`);
}

function setAt(object: ApiObject, path: string, value: number): void {
  const steps = path.split('.').filter((step) => step !== '');
  const last = steps.pop() ?? '';
  let at = object as unknown as JsonObject;
  for (const step of steps) {
    const below = ownValue(at, step) ?? {};
    setValue(at, step, below);
    at = below as JsonObject;
  }
  setValue(at, last, value);
}
