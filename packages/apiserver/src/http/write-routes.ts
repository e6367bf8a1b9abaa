import type { IncomingMessage } from 'node:http';
import type { User } from '../authn/user.ts';
import { apply } from '../operations/apply.ts';
import type { Call, ObjectCall, Result, World } from '../operations/call.ts';
import { create } from '../operations/create.ts';
import type { Body } from '../operations/decode-object.ts';
import { deleteObject } from '../operations/delete.ts';
import { patch, type PatchType } from '../operations/patch.ts';
import { replace } from '../operations/replace.ts';
import { applyScale, patchScale, writeScale } from '../operations/scale.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { badRequest, methodNotAllowed, StatusError, unsupportedMediaType } from '../status/status-error.ts';
import { deletionParameters, writeParameters } from './call-options.ts';
import { mediaTypeOf, readBytes, readConfiguration, readObject, readOptions, readPatch } from './read-body.ts';
import type { ResourceRequestInfo } from './request-info.ts';

/** A request whose sender is known and may do what it asks for. */
export interface AdmittedRequest {
  readonly request: IncomingMessage;
  readonly info: ResourceRequestInfo;
  readonly query: URLSearchParams;
  readonly resource: ServedResource;
  readonly user: User;
  readonly warn: (text: string) => void;
}

/** Subresources and virtual types with a handler of their own, by `group/plural` or `group/plural/subresource`. */
export type SpecialCreate = (world: World, call: Call, body: Body) => Promise<Result>;

/** Carries out a create, update, patch or delete. */
export async function write(
  world: World,
  special: ReadonlyMap<string, SpecialCreate>,
  admitted: AdmittedRequest,
): Promise<Result> {
  const { info } = admitted;
  switch (info.verb) {
    case 'create':
      return createRoute(world, special, admitted);
    case 'update':
      return updateRoute(world, special, admitted);
    case 'patch':
      return patchRoute(world, admitted);
    case 'delete':
      return deleteRoute(world, admitted);
    default:
      throw methodNotAllowed();
  }
}

async function createRoute(
  world: World,
  special: ReadonlyMap<string, SpecialCreate>,
  admitted: AdmittedRequest,
): Promise<Result> {
  const { info, resource, query, request } = admitted;
  const body = await readObject(request, resource);
  const call = { ...callOf(admitted), ...writeParameters(query, request, 'create') };
  const handler = special.get(specialKey(info));
  if (handler) return handler(world, call, body);
  return create(world, call, body);
}

async function updateRoute(
  world: World,
  special: ReadonlyMap<string, SpecialCreate>,
  admitted: AdmittedRequest,
): Promise<Result> {
  const { info, resource, query, request } = admitted;
  const body = await readObject(request, resource);
  const call = requireName({ ...callOf(admitted), ...writeParameters(query, request, 'update') });
  const handler = special.get(specialKey(info));
  if (handler && info.subresource !== undefined) return handler(world, call, body);
  return info.subresource === 'scale' ? writeScale(world, call, body.value) : replace(world, call, body);
}

const patchTypes: Readonly<Record<string, PatchType | 'apply'>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

async function patchRoute(world: World, admitted: AdmittedRequest): Promise<Result> {
  const { info, resource, query, request } = admitted;
  const type = requirePatchType(request, resource);
  const bytes = await readBytes(request);
  const parameters = writeParameters(query, request, type === 'apply' ? 'apply' : 'patch');
  const call = requireName({ ...callOf(admitted), ...parameters });
  if (type === 'apply') {
    if (info.subresource === 'scale') return applyScale(world, call);
    return apply(world, call, readConfiguration(bytes), parameters.force);
  }
  const body = readPatch(bytes, type);
  return info.subresource === 'scale' ? patchScale(world, call, type, body.value) : patch(world, call, type, body);
}

function requirePatchType(request: IncomingMessage, { builtIn }: ServedResource): PatchType | 'apply' {
  const type = patchTypes[mediaTypeOf(request)];
  if (type && (builtIn || type !== 'strategic')) return type;
  if (builtIn) throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  throw unsupportedMediaType(Object.keys(patchTypes).filter((name) => !name.includes('strategic')));
}

async function deleteRoute(world: World, admitted: AdmittedRequest): Promise<Result> {
  const { query, request } = admitted;
  const options = deletionParameters(query, await readOptions(request));
  const call = { ...callOf(admitted), dryRun: options.dryRun, options: options.options };
  return deleteObject(world, requireName(call), options);
}

/** The call without the options of its verb. */
export function callOf({ info, resource, user, warn }: AdmittedRequest): Call {
  return {
    resource,
    namespace: resource.namespaced ? info.namespace : undefined,
    name: info.name,
    subresource: info.subresource,
    user,
    warn,
    dryRun: false,
    fieldManager: '',
    fieldValidation: 'Warn',
  };
}

function specialKey({ group, resource, subresource }: ResourceRequestInfo): string {
  return subresource === undefined ? `${group}/${resource}` : `${group}/${resource}/${subresource}`;
}

function requireName(call: Call): ObjectCall {
  if (call.name === undefined) throw badRequest('name must be provided');
  return { ...call, name: call.name };
}
