import { KlutchError } from '@klutch/api';
import type { RequestedApi } from '../policy/entitled-offers.ts';
import type { PresentedCluster } from '../tenants/app-cluster.ts';
import { checkedApi } from './api-names.ts';
import { clusterIdOf, clusterUidOf, maxApis } from './login-request.ts';

/** What a machine or a command without a browser asks for. */
export interface BindRequest {
  readonly cluster: PresentedCluster;
  readonly apis: readonly RequestedApi[];
  readonly tenant?: string;
  readonly sid?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads `{clusterID, apis: [{group, resource}], tenant?, clusterUID?, session?}`. Throws `KLUTCH_REQUEST_INVALID` with the name
 * of the field that is wrong; values are never repeated.
 */
export function parseBindRequest(body: unknown): BindRequest {
  const fields = fieldsOf(body);
  const uid = optionalText(fields, 'clusterUID');
  const tenant = optionalText(fields, 'tenant');
  const sid = optionalText(fields, 'session');
  return {
    cluster: {
      id: clusterIdOf(textIn(fields, 'clusterID'), 'clusterID'),
      ...(uid !== undefined && { uid: clusterUidOf(uid, 'clusterUID') }),
    },
    apis: parseApis(fields),
    ...(tenant !== undefined && { tenant }),
    ...(sid !== undefined && { sid }),
  };
}

/** Reads `{apis: [{group, resource}]}`. Throws like {@link parseBindRequest}. */
export function parseApis(body: unknown): RequestedApi[] {
  const { apis } = fieldsOf(body);
  if (!Array.isArray(apis) || apis.length === 0) throw wrong('apis', 'must be a list with at least one entry');
  if (apis.length > maxApis) throw wrong('apis', `has more than ${maxApis} entries`);
  return apis.map((api: unknown, index) => {
    const fields = fieldsOf(api, `apis[${index}]`);
    const group = optionalText(fields, 'group') ?? '';
    return checkedApi({ group, resource: textIn(fields, 'resource') }, `apis[${index}]`);
  });
}

/** Reads one text of a body. Throws like {@link parseBindRequest}. */
export function parseText(body: unknown, name: string): string {
  return textIn(fieldsOf(body), name);
}

function fieldsOf(value: unknown, name = 'body'): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw wrong(name, 'must be a JSON object');
}

function textIn(fields: Fields, name: string): string {
  const text = optionalText(fields, name);
  if (text === undefined || text === '') throw wrong(name, 'is missing');
  return text;
}

function optionalText(fields: Fields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > maxTextLength)
    throw wrong(name, 'must be a text of reasonable length');
  return value;
}

const maxTextLength = 8_192;

function wrong(field: string, problem: string): KlutchError {
  return new KlutchError('KLUTCH_REQUEST_INVALID', `Field ${field} ${problem}.`);
}
