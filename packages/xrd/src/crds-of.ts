import type { CustomResourceDefinition } from '@klutch/api';
import type { CompositeResourceDefinition, DefinedNames, DefinedVersion, PrinterColumn } from './definition.ts';
import { claimColumns, compositeColumns } from './printer-columns.ts';
import { deriveSchema } from './schema/derive.ts';
import { claimFields, compositeFields, type EngineFields } from './schema/engine-fields.ts';

/** The CRDs of a definition. */
export interface DefinedCrds {
  readonly composite: CustomResourceDefinition;
  /** Undefined when the definition offers no claims. */
  readonly claim: CustomResourceDefinition | undefined;
}

/** Pure: what Crossplane 1.20 makes of a definition. */
export function crdsOf(definition: CompositeResourceDefinition): DefinedCrds {
  const { names, claimNames, defaultCompositeDeletePolicy, defaultCompositionUpdatePolicy } = definition.spec;
  return {
    composite: crd(definition, {
      names,
      category: 'composite',
      scope: 'Cluster',
      columns: compositeColumns,
      fields: compositeFields(defaultCompositionUpdatePolicy ?? 'Automatic'),
    }),
    claim:
      claimNames &&
      crd(definition, {
        names: claimNames,
        category: 'claim',
        scope: 'Namespaced',
        columns: claimColumns,
        fields: claimFields(defaultCompositeDeletePolicy ?? 'Background'),
      }),
  };
}

interface Side {
  readonly names: DefinedNames;
  readonly category: string;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly columns: readonly PrinterColumn[];
  readonly fields: EngineFields;
}

function crd({ metadata, spec }: CompositeResourceDefinition, side: Side): CustomResourceDefinition {
  const { plural, kind, singular = kind.toLowerCase(), listKind = `${kind}List`, shortNames, categories } = side.names;
  const labels = { ...metadata.labels, ...spec.metadata?.labels };
  const { annotations } = spec.metadata ?? {};
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${spec.group}`,
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
    },
    spec: {
      group: spec.group,
      names: {
        plural,
        singular,
        kind,
        listKind,
        ...(shortNames ? { shortNames: [...shortNames] } : {}),
        categories: [...(categories ?? []), side.category],
      },
      scope: side.scope,
      versions: spec.versions.map((version) => versionOf(version, side)),
      ...(spec.conversion ? { conversion: spec.conversion } : {}),
    },
  };
}

function versionOf(version: DefinedVersion, { columns, fields }: Side) {
  const { name, served, referenceable, deprecated, deprecationWarning, additionalPrinterColumns = [] } = version;
  return {
    name,
    served,
    storage: referenceable,
    ...(deprecated ? { deprecated } : {}),
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
    additionalPrinterColumns: [...additionalPrinterColumns, ...columns],
    schema: { openAPIV3Schema: deriveSchema(version.schema?.openAPIV3Schema ?? {}, fields) },
    subresources: { status: {} },
  };
}
