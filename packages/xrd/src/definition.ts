/** `apiextensions.crossplane.io/v1` CompositeResourceDefinition, as far as CRDs follow from it. */
export interface CompositeResourceDefinition {
  readonly apiVersion: 'apiextensions.crossplane.io/v1';
  readonly kind: 'CompositeResourceDefinition';
  readonly metadata: {
    readonly name: string;
    readonly uid?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly group: string;
    readonly names: DefinedNames;
    /** Absent: composites only, nothing that tenants could create. */
    readonly claimNames?: DefinedNames;
    readonly connectionSecretKeys?: readonly string[];
    readonly defaultCompositionRef?: { readonly name: string };
    readonly enforcedCompositionRef?: { readonly name: string };
    readonly defaultCompositeDeletePolicy?: DeletePolicy;
    readonly defaultCompositionUpdatePolicy?: UpdatePolicy;
    readonly versions: readonly DefinedVersion[];
    readonly conversion?: { readonly strategy: string; readonly webhook?: unknown };
    /** Labels and annotations of the CRDs; the labels of the definition itself are theirs, too. */
    readonly metadata?: {
      readonly labels?: Readonly<Record<string, string>>;
      readonly annotations?: Readonly<Record<string, string>>;
    };
  };
}

export type DeletePolicy = 'Background' | 'Foreground';
export type UpdatePolicy = 'Automatic' | 'Manual';

export interface DefinedNames {
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface DefinedVersion {
  readonly name: string;
  readonly served: boolean;
  /** Whether Compositions may refer to it; it is also the one that is stored. */
  readonly referenceable: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  /** Crossplane makes no CRD of a version without a schema. */
  readonly schema: { readonly openAPIV3Schema: Readonly<Record<string, unknown>> };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}
