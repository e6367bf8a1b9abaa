import type { ResourceType } from '@klutch/kube';
import { group } from '../names/groups.ts';
import { object, string } from '../schema/schema.ts';
import { age } from './columns.ts';
import { conditions } from './condition.ts';
import { crdOf, defineKind, type ObjectOf, resourceTypeOf } from './kind.ts';

const definition = defineKind({
  group,
  kind: 'APIServiceNamespace',
  plural: 'apiservicenamespaces',
  scope: 'Namespaced',
  description: 'Maps the app-cluster namespace of the same name to a namespace of the control plane.',
  fields: {
    spec: object('Nothing to say: the name tells all.', {}),
    status: object('The answer of the backend.', {
      namespace: string('Namespace of the control plane; empty until it is ready, never changed afterwards.'),
      conditions,
    }),
  },
  columns: [{ name: 'Namespace', type: 'string', jsonPath: '.status.namespace' }, age],
});

/** Maps the app-cluster namespace of the same name to a namespace of the control plane. */
export interface APIServiceNamespace extends ObjectOf<typeof definition> {}

export const APIServiceNamespaces: ResourceType<APIServiceNamespace> = resourceTypeOf(definition);

export const apiServiceNamespaceCrd = crdOf(definition);
