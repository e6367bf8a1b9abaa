import type { ResourceType } from '@klutch/kube';
import { group } from '../names/groups.ts';
import { array, enumeration, immutable, type Infer, object, required, string } from '../schema/schema.ts';
import { age, conditionColumn } from './columns.ts';
import { conditions } from './condition.ts';
import { crdNameFields, crdScope } from './crd-names.ts';
import { exportedVersionFields } from './exported-version.ts';
import { crdOf, defineKind, type ObjectOf, resourceTypeOf } from './kind.ts';
import { permissionClaims } from './permission-claim.ts';

const spec = object(
  'The API and how it is synchronised.',
  {
    group: required(string('API group.')),
    names: required(object('Names of the API.', crdNameFields)),
    scope: required(crdScope),
    versions: required(
      array('Versions of the API.', object('A version of the API.', exportedVersionFields), {
        minItems: 1,
        merge: { keys: ['name'] },
      }),
    ),
    permissionClaims,
    informerScope: required(
      enumeration('How the konnector may watch the control plane.', ['Cluster', 'Namespaced'], {
        rules: [immutable('informerScope')],
      }),
    ),
    clusterScopedIsolation: enumeration('How cluster-scoped objects of different app clusters are kept apart.', [
      'Prefixed',
      'Namespaced',
      'None',
    ]),
  },
  {
    rules: [
      {
        rule: 'self.scope != "Cluster" || self.informerScope == "Cluster"',
        message: 'a cluster-scoped API needs informerScope Cluster',
      },
      {
        rule: 'self.scope != "Cluster" || has(self.clusterScopedIsolation)',
        message: 'a cluster-scoped API needs clusterScopedIsolation',
      },
      {
        rule: 'self.scope != "Namespaced" || !has(self.clusterScopedIsolation)',
        message: 'clusterScopedIsolation is only for cluster-scoped APIs',
      },
    ],
  },
);

const definition = defineKind({
  group,
  kind: 'APIServiceExport',
  plural: 'apiserviceexports',
  scope: 'Namespaced',
  description: 'An API published to one app cluster.',
  fields: {
    spec: required(spec),
    status: object('State of the API in the app cluster.', {
      acceptedNames: object('Names the app cluster serves.', crdNameFields),
      storedVersions: array('Versions stored in the app cluster.', string('A version.')),
      conditions,
    }),
  },
  rules: [
    {
      rule: 'self.metadata.name == self.spec.names.plural + "." + self.spec.group',
      message: 'metadata.name must be <spec.names.plural>.<spec.group>',
    },
  ],
  columns: [conditionColumn('Established', 'Established', 'status', 5), age],
});

/** An API published to one app cluster. */
export interface APIServiceExport extends ObjectOf<typeof definition> {}

export type APIServiceExportSpec = Infer<typeof spec>;
export type InformerScope = APIServiceExportSpec['informerScope'];
export type ClusterScopedIsolation = NonNullable<APIServiceExportSpec['clusterScopedIsolation']>;

export const APIServiceExports: ResourceType<APIServiceExport> = resourceTypeOf(definition);

export const apiServiceExportCrd = crdOf(definition);
