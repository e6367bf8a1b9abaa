import type { KubeObject, ObjectMeta, ResourceType } from '@klutch/kube';
import type { Scope } from './crd-names.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import type { PrinterColumn } from './exported-version.ts';
import type { ValidationRule } from '../schema/json-schema.ts';
import { type InferFields, object, type Schema } from '../schema/schema.ts';

/** The one version in which all kinds of Klutch are served and stored. */
const version = 'v1alpha1';

/** `kubectl get kube-bindings` lists all kinds of this category. */
const category = 'kube-bindings';

/** Everything there is to say about a stored kind; its CRD, resource type and TypeScript type follow from it. */
export interface KindDefinition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly scope: Scope;
  readonly description: string;
  readonly fields: { readonly spec: Schema<unknown>; readonly status: Schema<unknown> };
  /** CEL rules about the whole object. */
  readonly rules?: readonly ValidationRule[];
  readonly columns: readonly PrinterColumn[];
}

/** What objects of the kind look like. */
export type ObjectOf<D extends KindDefinition> = InferFields<D['fields']> & {
  readonly apiVersion: `${D['group']}/${typeof version}`;
  readonly kind: D['kind'];
  readonly metadata: ObjectMeta;
};

/** Checks a definition and keeps its literal types. */
export function defineKind<const D extends KindDefinition>(definition: D): D {
  return definition;
}

/** Where objects of the kind live on the wire. */
export function resourceTypeOf<T extends KubeObject>(definition: KindDefinition): ResourceType<T> {
  const { group, plural, kind, scope } = definition;
  return { group, version, plural, kind, namespaced: scope === 'Namespaced' };
}

/** The CRD that makes an API server serve the kind. */
export function crdOf(definition: KindDefinition): CustomResourceDefinition {
  const { group, kind, plural, shortNames, scope, columns } = definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        ...(shortNames === undefined ? {} : { shortNames }),
        categories: [category],
      },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: rootSchema(definition) },
          subresources: { status: {} },
          additionalPrinterColumns: columns,
        },
      ],
    },
  };
}

function rootSchema(definition: KindDefinition): Readonly<Record<string, unknown>> {
  const { json } = object(definition.description, definition.fields, { rules: definition.rules });
  const identity = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } };
  return { ...json, properties: { ...identity, ...json.properties } };
}
