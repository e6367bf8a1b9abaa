import type { ServedResource } from '../registry/served-resource.ts';
import { componentName, DELETE_OPTIONS, PATCH, refTo, SCALE, STATUS } from './component-name.ts';

/** The operations at one path, by HTTP method. */
export type PathItem = { readonly [methodOrParameters: string]: unknown };

const query = (name: string, type: string) => ({ name, in: 'query', schema: { type, uniqueItems: true } });
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string', uniqueItems: true } });

const WRITE_PARAMETERS = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => query(name, 'string'));
const LIST_PARAMETERS = [
  query('allowWatchBookmarks', 'boolean'),
  query('continue', 'string'),
  query('fieldSelector', 'string'),
  query('labelSelector', 'string'),
  query('limit', 'integer'),
  query('resourceVersion', 'string'),
  query('resourceVersionMatch', 'string'),
  query('sendInitialEvents', 'boolean'),
  query('timeoutSeconds', 'integer'),
  query('watch', 'boolean'),
];
const DELETE_PARAMETERS = [
  query('dryRun', 'string'),
  query('gracePeriodSeconds', 'integer'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy', 'string'),
];

const PATCH_TYPES = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];
const STRATEGIC = 'application/strategic-merge-patch+json';

/** All paths of a type with what can be done there. */
export function pathsOf(served: ServedResource): readonly (readonly [string, PathItem])[] {
  const { group, version, resource, namespaced } = served;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const all = `${root}/${resource}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${resource}` : all;
  const scope = namespaced ? [inPath('namespace')] : [];
  const one = [inPath('name'), ...scope];
  const paths: [string, PathItem][] = [[collection, { ...collectionItem(served), parameters: scope }]];
  if (!served.verbs.includes('get')) return paths;
  paths.push([`${collection}/{name}`, { ...objectItem(served), parameters: one }]);
  if (served.hasStatus) paths.push([`${collection}/{name}/status`, { ...partItem(served), parameters: one }]);
  if (served.scale)
    paths.push([`${collection}/{name}/scale`, { ...partItem(scaleOf(served), SCALE), parameters: one }]);
  if (namespaced) paths.push([all, { get: listOperation(served) }]);
  return paths;
}

function scaleOf(served: ServedResource): ServedResource {
  return { ...served, group: 'autoscaling', version: 'v1', kind: 'Scale' };
}

function collectionItem(served: ServedResource): PathItem {
  const { verbs, kind } = served;
  return {
    ...(verbs.includes('list') ? { get: listOperation(served) } : {}),
    ...(verbs.includes('create')
      ? { post: operation(served, 'post', `create a ${kind}`, WRITE_PARAMETERS, body(componentName(served, kind))) }
      : {}),
    ...(verbs.includes('deletecollection')
      ? {
          delete: operation(
            served,
            'deletecollection',
            `delete collection of ${kind}`,
            DELETE_PARAMETERS,
            body(DELETE_OPTIONS),
            STATUS,
          ),
        }
      : {}),
  };
}

function listOperation(served: ServedResource): object {
  const { kind, listKind } = served;
  return operation(
    served,
    'list',
    `list or watch objects of kind ${kind}`,
    LIST_PARAMETERS,
    {},
    componentName(served, listKind),
  );
}

function objectItem(served: ServedResource): PathItem {
  return {
    ...partItem(served),
    delete: operation(served, 'delete', `delete a ${served.kind}`, DELETE_PARAMETERS, body(DELETE_OPTIONS), STATUS),
  };
}

function partItem(served: ServedResource, schema = componentName(served, served.kind)): PathItem {
  const { kind } = served;
  return {
    get: operation(served, 'get', `read the specified ${kind}`, [], {}, schema),
    put: operation(served, 'put', `replace the specified ${kind}`, WRITE_PARAMETERS, body(schema), schema),
    patch: operation(
      served,
      'patch',
      `partially update the specified ${kind}`,
      [...WRITE_PARAMETERS, query('force', 'boolean')],
      body(PATCH, served.builtIn ? [...PATCH_TYPES, STRATEGIC] : PATCH_TYPES),
      schema,
    ),
  };
}

function body(schema: string, types: readonly string[] = ['application/json', 'application/yaml']): object {
  return { requestBody: { required: true, content: contentOf(schema, types) } };
}

function operation(
  served: ServedResource,
  action: string,
  description: string,
  parameters: readonly object[],
  more: object,
  schema = componentName(served, served.kind),
): object {
  const { group, version, kind } = served;
  return {
    description,
    parameters,
    ...more,
    responses: {
      200: { description: 'OK', content: contentOf(schema, ['application/json', 'application/yaml']) },
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}

function contentOf(schema: string, types: readonly string[]): object {
  return Object.fromEntries(types.map((type) => [type, { schema: refTo(schema) }]));
}
