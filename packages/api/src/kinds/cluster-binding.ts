import type { ResourceType } from '@klutch/kube';
import { group } from '../names/groups.ts';
import { freeForm, immutable, object, required, string } from '../schema/schema.ts';
import { age, ready } from './columns.ts';
import { conditions } from './condition.ts';
import { crdOf, defineKind, type ObjectOf, resourceTypeOf } from './kind.ts';
import { localSecretKeyRefFields } from './secret-key-ref.ts';

const definition = defineKind({
  group,
  kind: 'ClusterBinding',
  plural: 'clusterbindings',
  scope: 'Namespaced',
  description: 'The connection to one app cluster; there is one, named `cluster`, in each cluster namespace.',
  fields: {
    spec: required(
      object('Who is connected and how.', {
        kubeconfigSecretRef: required(
          object('Current kubeconfig of the konnector, which copies it to the app cluster.', localSecretKeyRefFields, {
            rules: [immutable('kubeconfigSecretRef')],
          }),
        ),
        providerPrettyName: required(string('Display name of the provider.', { minLength: 1 })),
        serviceProviderSpec: freeForm('Settings that only the provider understands.'),
      }),
    ),
    status: object('Signs of life of the konnector.', {
      lastHeartbeatTime: string('When the konnector last reported.', { format: 'date-time' }),
      heartbeatInterval: string('Longest time between two reports, as a Go duration such as `5m0s`.'),
      konnectorVersion: string('Version of the konnector, or `unknown`.'),
      conditions,
    }),
  },
  rules: [{ rule: 'self.metadata.name == "cluster"', message: 'the name must be cluster' }],
  columns: [
    { name: 'Konnector Version', type: 'string', jsonPath: '.status.konnectorVersion' },
    { name: 'Last Heartbeat', type: 'date', jsonPath: '.status.lastHeartbeatTime' },
    ready,
    age,
  ],
});

/** The connection to one app cluster. */
export interface ClusterBinding extends ObjectOf<typeof definition> {}

export const ClusterBindings: ResourceType<ClusterBinding> = resourceTypeOf(definition);

export const clusterBindingCrd = crdOf(definition);
