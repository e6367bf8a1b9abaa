import type { JsonSchema } from '@klutch/cel';
import { objectMetaSchema } from '../patch/index.ts';
import { inlineSchema, OBJECT_META, type OpenApiSchema } from './open-api-schema.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

export const LIST_META = `${META}.ListMeta`;
export const PATCH = `${META}.Patch`;
export const DELETE_OPTIONS = `${META}.DeleteOptions`;
export const STATUS = `${META}.Status`;
export const SCALE = 'io.k8s.api.autoscaling.v1.Scale';

const FIELDS: Readonly<Record<string, string>> = {
  annotations: 'Notes of programs, which are not for selecting objects.',
  creationTimestamp: 'When the object was created; set by the server.',
  deletionGracePeriodSeconds: 'How long the object may live on; set by the server.',
  deletionTimestamp: 'Since when the object is to go; set by the server.',
  finalizers: 'Who must finish before the object can go.',
  generateName: 'Start of a name that the server completes.',
  generation: 'Counts changes of what is wanted; set by the server.',
  labels: 'Properties by which objects are selected.',
  managedFields: 'Who manages which fields; kept by the server.',
  name: 'Name, unique for the type and, if there is one, the namespace.',
  namespace: 'Namespace the object is in.',
  ownerReferences: 'Objects this one goes with.',
  resourceVersion: 'Changes with every write; kept by the server.',
  selfLink: 'Not used any more.',
  uid: 'Identity of the object, in space and time; set by the server.',
};

/** Schemas that every document has. */
export function metaSchemas(): readonly (readonly [string, OpenApiSchema])[] {
  const { title: _, ...meta } = objectMetaSchema;
  const properties = Object.entries(meta.properties ?? {}).map(([name, property]): [string, JsonSchema] => [
    name,
    { ...property, description: FIELDS[name] },
  ]);
  return [
    [
      OBJECT_META,
      {
        ...inlineSchema({ ...meta, properties: Object.fromEntries(properties) }),
        description: 'What every object has.',
      },
    ],
    [LIST_META, listMeta],
    [PATCH, { type: 'object', description: 'A change of an object.' }],
    [DELETE_OPTIONS, { type: 'object', description: 'How to delete an object.' }],
    [STATUS, { type: 'object', description: 'How a request went.' }],
  ];
}

const listMeta: OpenApiSchema = {
  type: 'object',
  description: 'What every list has.',
  properties: {
    continue: { type: 'string', description: 'Where the next page begins.' },
    remainingItemCount: { type: 'integer', format: 'int64', description: 'How many objects follow.' },
    resourceVersion: { type: 'string', description: 'State of the server that the list shows.' },
  },
};

/** The form in which all kinds tell and take their number of replicas. */
export const scaleSchema: OpenApiSchema = {
  type: 'object',
  description: 'How many replicas there are.',
  properties: {
    spec: {
      type: 'object',
      properties: { replicas: { type: 'integer', format: 'int32', description: 'How many are wanted.' } },
    },
    status: {
      type: 'object',
      required: ['replicas'],
      properties: {
        replicas: { type: 'integer', format: 'int32', description: 'How many there are.' },
        selector: { type: 'string', description: 'Which ones, as a label selector.' },
      },
    },
  },
  'x-kubernetes-group-version-kind': [{ group: 'autoscaling', version: 'v1', kind: 'Scale' }],
};
