import type { ResourceType } from '@klutch/kube';
import { group } from '../names/groups.ts';
import { array, boolean, immutable, object, required } from '../schema/schema.ts';
import { age, ready } from './columns.ts';
import { conditions } from './condition.ts';
import { groupResourceFields } from './group-resource.ts';
import { crdOf, defineKind, type ObjectOf, resourceTypeOf } from './kind.ts';
import { konnectorOverrides } from './konnector-overrides.ts';
import { clusterSecretKeyRefFields } from './secret-key-ref.ts';

const definition = defineKind({
  group,
  kind: 'AppClusterBinding',
  plural: 'appclusterbindings',
  scope: 'Namespaced',
  description: 'Connects an app cluster from the control plane, without anybody logging in.',
  fields: {
    spec: required(
      object('Which cluster gets which APIs.', {
        kubeconfigSecretRef: required(
          object('Kubeconfig of the app cluster.', clusterSecretKeyRefFields, {
            rules: [immutable('kubeconfigSecretRef')],
          }),
        ),
        apiExports: array(
          'APIs to bind; each needs an APIServiceExportTemplate.',
          object('An API.', groupResourceFields),
        ),
        konnector: object('The konnector on the control plane.', {
          deploy: boolean('Run a konnector for this app cluster.'),
          overrides: konnectorOverrides,
        }),
      }),
    ),
    status: object('How far the connection is.', { conditions }),
  },
  // Always true, as no server lets a name change; kept so that the CRD states the same rules as the one it replaces.
  rules: [{ rule: 'self.metadata.name == oldSelf.metadata.name', message: 'the name is immutable' }],
  columns: [ready, age],
});

/** Connects an app cluster from the control plane. */
export interface AppClusterBinding extends ObjectOf<typeof definition> {}

export const AppClusterBindings: ResourceType<AppClusterBinding> = resourceTypeOf(definition);

export const appClusterBindingCrd = crdOf(definition);
