import type { CrdVersion, CustomResourceDefinition } from '@klutch/api';
import type { CompositeResourceDefinition, DefinedNames, DefinedVersion, PrinterColumn } from './definition.ts';
import { claimColumns, compositeColumns } from './printer-columns.ts';
import { deriveSchema } from './schema/derive.ts';
import { claimFields, compositeFields, type EngineFields } from './schema/engine-fields.ts';
import { withoutEmpty } from './schema/typed.ts';

/** The CRDs of a definition. */
export interface DefinedCrds {
  readonly composite: CustomResourceDefinition;
  /** Undefined when the definition offers no claims. */
  readonly claim: CustomResourceDefinition | undefined;
}

/**
 * Pure: the CRDs that Crossplane 1.20 makes of a definition, with the defaults that an API server adds to their `spec`.
 * They name the definition as their owner when it has a UID.
 */
export function crdsOf(definition: CompositeResourceDefinition): DefinedCrds {
  const { metadata, spec } = definition;
  const { names, claimNames, defaultCompositeDeletePolicy, defaultCompositionUpdatePolicy } = spec;
  return {
    composite: crd(definition, {
      name: metadata.name,
      names,
      category: 'composite',
      scope: 'Cluster',
      columns: compositeColumns,
      fields: compositeFields(defaultCompositionUpdatePolicy ?? 'Automatic'),
    }),
    claim:
      claimNames &&
      crd(definition, {
        name: `${claimNames.plural}.${spec.group}`,
        names: claimNames,
        category: 'claim',
        scope: 'Namespaced',
        columns: claimColumns,
        fields: claimFields(defaultCompositeDeletePolicy ?? 'Background'),
      }),
  };
}

interface Side {
  readonly name: string;
  readonly names: DefinedNames;
  readonly category: string;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly columns: readonly PrinterColumn[];
  readonly fields: EngineFields;
}

function crd(definition: CompositeResourceDefinition, side: Side): CustomResourceDefinition {
  const { metadata, spec } = definition;
  const { plural, kind, singular = kind.toLowerCase(), listKind = `${kind}List`, shortNames, categories } = side.names;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: withoutEmpty({
      name: side.name,
      labels: { ...metadata.labels, ...spec.metadata?.labels },
      annotations: spec.metadata?.annotations,
      ownerReferences: ownersOf(definition),
    }),
    spec: {
      group: spec.group,
      names: withoutEmpty({
        plural,
        singular,
        kind,
        listKind,
        shortNames,
        categories: [...(categories ?? []), side.category],
      }),
      scope: side.scope,
      versions: spec.versions.map((version) => versionOf(version, side)),
      conversion: spec.conversion ?? { strategy: 'None' },
    },
  };
}

function ownersOf({ apiVersion, kind, metadata: { name, uid } }: CompositeResourceDefinition) {
  if (uid === undefined) return [];
  return [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }];
}

function versionOf(version: DefinedVersion, { columns, fields }: Side): CrdVersion {
  const { name, served, referenceable, deprecated, deprecationWarning, additionalPrinterColumns = [] } = version;
  return {
    name,
    served,
    storage: referenceable,
    ...withoutEmpty({ deprecated, deprecationWarning }),
    additionalPrinterColumns: [...additionalPrinterColumns.map(withoutEmpty), ...columns],
    schema: { openAPIV3Schema: deriveSchema(version.schema.openAPIV3Schema, fields) },
    subresources: { status: {} },
  };
}
