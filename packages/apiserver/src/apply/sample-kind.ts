import type { JsonSchema } from '@klutch/cel';
import type { ApiObject, JsonObject, ManagedFieldsEntry } from '../objects/api-object.ts';
import { type FieldSet, listPaths } from './field-set.ts';
import { parseFieldsV1 } from './fields-v1.ts';
import { describePath } from './path-element.ts';
import { customResourceResetFields, type OwnershipScope } from './scope.ts';
import { compileType } from './value-type.ts';

/** For tests: a custom resource with one field of each kind that matters to ownership. */
const sampleSchema: JsonSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        text: { type: 'string' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        anything: { 'x-kubernetes-preserve-unknown-fields': true },
        list: { type: 'array', items: { type: 'string' } },
        set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            properties: {
              port: { type: 'integer' },
              protocol: { type: 'string', default: 'TCP' },
              name: { type: 'string' },
              tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
            },
          },
        },
        color: {
          type: 'object',
          properties: { r: { type: 'integer' }, g: { type: 'integer' } },
          'x-kubernetes-map-type': 'atomic',
        },
        settings: { type: 'object', additionalProperties: { type: 'string' } },
        groups: { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'string' } } } },
        nested: {
          type: 'object',
          properties: { a: { type: 'string' }, deeper: { type: 'object', properties: { b: { type: 'string' } } } },
        },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
};

export const sampleType = compileType(sampleSchema);

const VERSIONS = ['example.org/v1', 'example.org/v2'];

/** The endpoint of the sample kind; both of its versions have the same schema. */
export function sampleScope({
  version = 'v1',
  subresource,
}: {
  version?: string;
  subresource?: string;
} = {}): OwnershipScope {
  const apiVersion = `example.org/${version}`;
  const types = new Map(VERSIONS.map((name) => [name, sampleType]));
  const reset = customResourceResetFields(apiVersion, subresource, VERSIONS);
  return { apiVersion, kind: 'Sample', types, reset, subresource };
}

export function sample(spec: JsonObject, rest: JsonObject = {}): ApiObject {
  return { apiVersion: 'example.org/v1', kind: 'Sample', metadata: { name: 'x' }, spec, ...rest };
}

/** As it would be after it was stored: only then updates of it are tracked. */
export function stored(object: ApiObject): ApiObject {
  return { ...object, metadata: { ...object.metadata, uid: 'uid' } };
}

export function pathsOf(set: FieldSet): string[] {
  return listPaths(set).map(describePath);
}

/** Who owns what, for assertions: `{ 'one (Apply)': ['.spec.size'] }`. */
export function ownedIn(object: ApiObject): Record<string, string[]> {
  return Object.fromEntries((object.metadata.managedFields ?? []).map((entry) => [ownerOf(entry), ownedBy(entry)]));
}

function ownerOf({ manager, operation, apiVersion, subresource }: ManagedFieldsEntry): string {
  const version = apiVersion === 'example.org/v1' ? [] : [apiVersion?.split('/')[1]];
  const marks = [operation, ...version, ...(subresource === undefined ? [] : [subresource])];
  return `${manager} (${marks.join(', ')})`;
}

function ownedBy({ fieldsV1 }: ManagedFieldsEntry): string[] {
  return pathsOf(parseFieldsV1(fieldsV1));
}
