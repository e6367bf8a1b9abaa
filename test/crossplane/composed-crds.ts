import type { CustomResourceDefinition } from '@klutch/api';

const text = { type: 'string' };
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const manifest = { ...anything, 'x-kubernetes-embedded-resource': true };

/** `Object` of provider-kubernetes 1.2.1, as far as Compositions write it. */
const object = {
  type: 'object',
  required: ['forProvider'],
  properties: {
    forProvider: { type: 'object', required: ['manifest'], properties: { manifest } },
    providerConfigRef: { type: 'object', required: ['name'], properties: { name: text } },
    readiness: {
      type: 'object',
      properties: {
        policy: { ...text, enum: ['SuccessfulCreate', 'DeriveFromObject', 'AllTrue', 'DeriveFromCelQuery'] },
        celQuery: text,
      },
      'x-kubernetes-validations': [
        {
          rule: "self.policy != 'DeriveFromCelQuery' || (self.policy == 'DeriveFromCelQuery' && size(self.celQuery) > 0)",
          message: 'celQuery must be set if policy is DeriveFromCelQuery',
        },
      ],
    },
    watch: { type: 'boolean' },
  },
};

/** The kinds that Compositions of the catalogue compose. No provider is there: tests say what becomes of the objects. */
export const composedCrds: readonly CustomResourceDefinition[] = [
  composedKind('kubernetes.crossplane.io', 'v1alpha2', 'Object', object),
  ...['ServiceInstance', 'ServiceBinding', 'Backup', 'Restore'].map((kind) =>
    composedKind('dataservices.anynines.com', 'v1', kind),
  ),
  composedKind('s3.aws.upbound.io', 'v1beta1', 'Bucket'),
];

/** Where objects of a kind are served. */
export function pathOf(apiVersion: string, kind: string): string {
  return `/apis/${apiVersion}/${kind.toLowerCase()}s`;
}

/** A cluster-scoped kind; without a schema of its spec it accepts everything. */
export function composedKind(
  group: string,
  version: string,
  kind: string,
  spec: object = anything,
): CustomResourceDefinition {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural },
      scope: 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: anything } } },
          subresources: { status: {} },
        },
      ],
    },
  };
}
