import type { IncomingMessage } from 'node:http';
import { goQuote } from '@klutch/cel';
import type { DeletionOptions } from '../operations/delete.ts';
import { unregistered } from '../operations/decode-object.ts';
import { jsonKind } from '../kinds/types/json-kind.ts';
import type { Json, JsonObject } from '../objects/api-object.ts';
import { managerCauses } from '../metadata/field-manager.ts';
import { badRequest, type FieldCause, invalid } from '../status/status-error.ts';

/** Options of a write, from the query. */
export interface WriteParameters {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  readonly force: boolean;
  /** The same as the client sent them, for policies. */
  readonly options: JsonObject;
}

/** Which options a write takes: a patch may take over fields, and an apply has to say who it is. */
export type WriteKind = 'create' | 'update' | 'patch' | 'apply';

const optionKinds: Readonly<Record<WriteKind, string>> = {
  create: 'CreateOptions',
  update: 'UpdateOptions',
  patch: 'PatchOptions',
  apply: 'PatchOptions',
};

/** Reads the options of a create, update or patch; wrong ones are refused as Kubernetes does. */
export function writeParameters(query: URLSearchParams, request: IncomingMessage, kind: WriteKind): WriteParameters {
  const dryRun = query.getAll('dryRun');
  const fieldValidation = query.get('fieldValidation') ?? '';
  const manager = query.get('fieldManager') ?? '';
  const force = isTrue(query.get('force'));
  const causes = [
    ...(force && kind === 'patch' ? [noForce] : []),
    ...(manager === '' && kind === 'apply' ? [noManager] : []),
    ...managerCauses(manager, 'fieldManager'),
    ...dryRunCauses(dryRun),
    ...validationCauses(fieldValidation),
  ];
  if (causes.length > 0) throw invalid('meta.k8s.io', optionKinds[kind], '', causes);
  return {
    dryRun: dryRun.length > 0,
    fieldManager: manager || managerFromAgent(request.headers['user-agent']),
    fieldValidation: (fieldValidation || 'Warn') as WriteParameters['fieldValidation'],
    force,
    options: sentOnly({ dryRun, fieldManager: manager, fieldValidation }),
  };
}

/** Options without those that are empty. */
function sentOnly(options: Readonly<Record<string, Json | readonly string[] | undefined>>): JsonObject {
  const isSent = (value: unknown) =>
    value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(options).filter(([, value]) => isSent(value))) as JsonObject;
}

/** What the program calls itself: the user agent up to its version. */
export function managerFromAgent(agent: string | undefined): string {
  const name = agent?.split('/')[0]?.replaceAll(/[^\x20-\x7e]/g, '') ?? '';
  return name.slice(0, 128) || 'unknown';
}

/** Reads the options of a deletion from its body, or from the query when there is none. */
export function deletionParameters(
  query: URLSearchParams,
  body: Json | undefined,
): DeletionOptions & { readonly dryRun: boolean; readonly options: JsonObject } {
  const sent = body === undefined ? optionsOf(query) : requireOptions(body);
  const { dryRun = [], propagationPolicy: policy, orphanDependents: orphan, preconditions } = sent;
  const causes = [...dryRunCauses(dryRun), ...policyCauses(policy, orphan)];
  if (causes.length > 0) throw invalid('meta.k8s.io', 'DeleteOptions', '', causes);
  return {
    dryRun: dryRun.length > 0,
    uid: preconditions?.uid ?? undefined,
    resourceVersion: preconditions?.resourceVersion ?? undefined,
    gracePeriodSeconds: sent.gracePeriodSeconds,
    propagation: (policy as DeletionOptions['propagation']) ?? propagationOf(orphan),
    isAsynchronous: orphan === false,
    options: sentOnly({ ...sent }),
  };
}

interface SentOptions {
  readonly dryRun?: readonly string[];
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

function optionsOf(query: URLSearchParams): SentOptions {
  const grace = query.get('gracePeriodSeconds');
  const orphan = query.get('orphanDependents');
  return {
    dryRun: query.getAll('dryRun'),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    orphanDependents: orphan === null ? undefined : isTrue(orphan),
    gracePeriodSeconds: grace === null ? undefined : Number(grace),
  };
}

const optionTypes: Readonly<Record<string, readonly [type: string, go: string]>> = {
  gracePeriodSeconds: ['number', 'int64'],
  orphanDependents: ['bool', 'bool'],
  propagationPolicy: ['string', 'v1.DeletionPropagation'],
  dryRun: ['array', '[]string'],
  preconditions: ['object', 'v1.Preconditions'],
};

function requireOptions(body: Json): SentOptions {
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw badRequest(`json: cannot unmarshal ${jsonKind(body)} into Go value of type v1.DeleteOptions`);
  }
  const { apiVersion = 'v1', kind = 'DeleteOptions', ...sent } = body ?? {};
  if (kind !== 'DeleteOptions') throw badRequest(unregistered(textOf(apiVersion), textOf(kind)));
  const options = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
  for (const [field, [type, go]] of Object.entries(optionTypes)) {
    const found = options[field] === undefined ? type : jsonKind(options[field]);
    if (found === type) continue;
    throw badRequest(`json: cannot unmarshal ${found} into Go struct field DeleteOptions.${field} of type ${go}`);
  }
  return options;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function propagationOf(orphan: boolean | undefined): DeletionOptions['propagation'] {
  if (orphan === undefined) return undefined;
  return orphan ? 'Orphan' : 'Background';
}

const policies: readonly string[] = ['Foreground', 'Background', 'Orphan'];

function policyCauses(policy: string | undefined, orphan: boolean | undefined): readonly FieldCause[] {
  if (policy === undefined) return [];
  const both = 'orphanDependents and deletionPropagation cannot be both set';
  const message = `Invalid value: ${goQuote(policy)}: ${both}`;
  return [
    ...(orphan === undefined ? [] : [{ reason: 'FieldValueInvalid', field: 'propagationPolicy', message }]),
    ...(policies.includes(policy)
      ? []
      : [
          notSupported(
            'propagationPolicy',
            goQuote(policy),
            [...policies, 'nil'].map((name) => goQuote(name)),
          ),
        ]),
  ];
}

/** The values are one list, and if one is wrong, the list is. */
function dryRunCauses(values: readonly string[]): readonly FieldCause[] {
  if (values.every((value) => value === 'All')) return [];
  return [notSupported('dryRun', JSON.stringify(values), ['"All"'])];
}

const validations: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];

function validationCauses(value: string): readonly FieldCause[] {
  if (validations.includes(value)) return [];
  return [
    notSupported(
      'fieldValidation',
      goQuote(value),
      validations.map((name) => goQuote(name)),
    ),
  ];
}

const noForce: FieldCause = {
  reason: 'FieldValueForbidden',
  field: 'force',
  message: 'Forbidden: may not be specified for non-apply patch',
};

const noManager: FieldCause = {
  reason: 'FieldValueRequired',
  field: 'fieldManager',
  message: 'Required value: is required for apply patch',
};

function notSupported(field: string, value: string, supported: readonly string[]): FieldCause {
  const message = `Unsupported value: ${value}: supported values: ${supported.join(', ')}`;
  return { reason: 'FieldValueNotSupported', field, message };
}

function isTrue(value: string | null): boolean {
  return value !== null && ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value);
}
