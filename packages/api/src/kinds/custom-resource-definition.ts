import type { KubeObject, ResourceType } from '@klutch/kube';
import type { CrdNames, Scope } from './crd-names.ts';
import type { ExportedVersion } from './exported-version.ts';

/** A version in a CRD: like one in an export, but CRDs of old clusters may lack a schema. */
export type CrdVersion = Omit<ExportedVersion, 'schema'> & {
  readonly schema?: { readonly openAPIV3Schema?: Readonly<Record<string, unknown>> };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
};

/** `apiextensions.k8s.io/v1` CustomResourceDefinition. */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly names: CrdNames;
    readonly scope: Scope;
    readonly versions: readonly CrdVersion[];
    readonly conversion?: { readonly strategy: string; readonly webhook?: unknown };
    readonly preserveUnknownFields?: boolean;
  };
  readonly status?: {
    readonly acceptedNames?: CrdNames;
    readonly storedVersions?: readonly string[];
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: 'True' | 'False' | 'Unknown';
      readonly reason?: string;
      readonly message?: string;
      readonly lastTransitionTime?: string;
    }[];
  };
}

export const CustomResourceDefinitions: ResourceType<CustomResourceDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
