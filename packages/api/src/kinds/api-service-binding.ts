import type { ResourceType } from '@klutch/kube';
import { group } from '../names/groups.ts';
import { immutable, object, required, string } from '../schema/schema.ts';
import { age, conditionColumn, ready } from './columns.ts';
import { conditions } from './condition.ts';
import type { Scope } from './crd-names.ts';
import { crdOf, defineKind, type ObjectOf, resourceTypeOf } from './kind.ts';
import { acceptablePermissionClaims } from './permission-claim.ts';
import { clusterSecretKeyRefFields } from './secret-key-ref.ts';

/** Released Go components (up to v1.5.0) use cluster-scoped bindings, later ones keep them in a namespace. */
const definitionIn = <const S extends Scope>(scope: S) =>
  defineKind({
    group,
    kind: 'APIServiceBinding',
    plural: 'apiservicebindings',
    shortNames: ['sb'],
    scope,
    description: 'An API of a provider that is bound here. Its name is `<plural>.<group>` of that API.',
    fields: {
      spec: object('What is bound, and on which terms.', {
        kubeconfigSecretRef: required(
          object('Kubeconfig that leads to the other cluster.', clusterSecretKeyRefFields, {
            rules: [immutable('kubeconfigSecretRef')],
          }),
        ),
        permissionClaims: acceptablePermissionClaims,
      }),
      status: object('What the konnector found.', {
        providerPrettyName: string('Display name of the provider.'),
        conditions,
      }),
    },
    // The Go CRD has a further column, `Resources`, which reads an annotation nobody writes through a malformed path.
    columns: [
      { name: 'Provider', type: 'string', jsonPath: '.status.providerPrettyName' },
      ready,
      conditionColumn('Message', 'Ready', 'message'),
      age,
    ],
  });

const namespaced = definitionIn('Namespaced');
const clusterScoped = definitionIn('Cluster');

/** An API of a provider that is bound in this app cluster. */
export interface APIServiceBinding extends ObjectOf<typeof namespaced> {}

/** Bindings as the current components keep them. */
export const APIServiceBindings: ResourceType<APIServiceBinding> = resourceTypeOf(namespaced);
/** Bindings as components up to v1.5.0 keep them. */
export const ClusterScopedAPIServiceBindings: ResourceType<APIServiceBinding> = resourceTypeOf(clusterScoped);

export const apiServiceBindingCrd = crdOf(namespaced);
export const clusterScopedAPIServiceBindingCrd = crdOf(clusterScoped);
