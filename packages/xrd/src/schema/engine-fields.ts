import type { DeletePolicy, UpdatePolicy } from '../definition.ts';
import { object, oneOf, type Schema, text, textMap } from './json.ts';

/** What the engine adds to the schema of a kind. */
export interface EngineFields {
  readonly spec: Readonly<Record<string, Schema>>;
  readonly status: Readonly<Record<string, Schema>>;
}

const time: Schema = { type: 'string', format: 'date-time' };
const named = object({ name: text }, ['name']);
const selector = object({ matchLabels: textMap }, ['matchLabels']);

/** Where 1.x publishes connection details. */
const publication = object(
  {
    name: text,
    configRef: { ...object({ name: text }), default: { name: 'default' } },
    metadata: object({ labels: textMap, annotations: textMap, type: text }),
  },
  ['name'],
);

const composition = {
  compositionRef: named,
  compositionSelector: selector,
  compositionRevisionRef: named,
  compositionRevisionSelector: selector,
  compositionUpdatePolicy: oneOf('Automatic', 'Manual'),
};

const status = {
  conditions: {
    description: 'Conditions of the resource.',
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
    items: object({ lastTransitionTime: time, message: text, reason: text, status: text, type: text }, [
      'lastTransitionTime',
      'reason',
      'status',
      'type',
    ]),
  },
  connectionDetails: object({ lastPublishedTime: time }),
  claimConditionTypes: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
};

/** Fields of claims. */
export function claimFields(deletePolicy: DeletePolicy): EngineFields {
  return {
    spec: {
      ...composition,
      compositeDeletePolicy: { ...oneOf('Background', 'Foreground'), default: deletePolicy },
      resourceRef: object({ apiVersion: text, kind: text, name: text }, ['apiVersion', 'kind', 'name']),
      publishConnectionDetailsTo: publication,
      writeConnectionSecretToRef: named,
    },
    status,
  };
}

/** Fields of composites. */
export function compositeFields(updatePolicy: UpdatePolicy): EngineFields {
  return {
    spec: {
      ...composition,
      compositionUpdatePolicy: { ...composition.compositionUpdatePolicy, default: updatePolicy },
      claimRef: object({ apiVersion: text, kind: text, namespace: text, name: text }, [
        'apiVersion',
        'kind',
        'namespace',
        'name',
      ]),
      resourceRefs: {
        type: 'array',
        'x-kubernetes-list-type': 'atomic',
        items: object({ apiVersion: text, name: text, kind: text }, ['apiVersion', 'kind']),
      },
      publishConnectionDetailsTo: publication,
      writeConnectionSecretToRef: object({ name: text, namespace: text }, ['name', 'namespace']),
    },
    status,
  };
}
