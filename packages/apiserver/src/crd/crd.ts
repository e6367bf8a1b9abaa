import type { JsonSchema } from '@klutch/cel';
import type { ApiObject } from '../objects/api-object.ts';
import type { PrinterColumn, ScalePaths } from '../registry/served-resource.ts';

export const crdGroup = 'apiextensions.k8s.io';
export const crdBucket = `${crdGroup}/customresourcedefinitions`;
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export interface CrdNames {
  plural: string;
  singular?: string;
  kind: string;
  listKind?: string;
  shortNames?: string[];
  categories?: string[];
}

export interface CrdVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: JsonSchema };
  subresources?: { status?: object; scale?: ScalePaths };
  additionalPrinterColumns?: PrinterColumn[];
  selectableFields?: { jsonPath: string }[];
}

export interface CrdCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime?: string;
  reason: string;
  message: string;
  observedGeneration?: number;
}

/** A CustomResourceDefinition of `apiextensions.k8s.io/v1`. */
export interface Crd extends ApiObject {
  spec: {
    group: string;
    scope: 'Namespaced' | 'Cluster';
    names: CrdNames;
    versions: CrdVersion[];
    conversion?: { strategy: string; webhook?: object };
    preserveUnknownFields?: boolean;
  };
  status?: { conditions?: CrdCondition[] | null; acceptedNames?: CrdNames; storedVersions?: string[] };
}

export function crdCondition(crd: Crd, type: string): CrdCondition | undefined {
  return crd.status?.conditions?.find((condition) => condition.type === type);
}

export function isEstablished(crd: Crd): boolean {
  return crdCondition(crd, 'Established')?.status === 'True';
}

/** The conditions with one of them set; its time moves only with its status. */
export function withCondition(conditions: readonly CrdCondition[], wanted: CrdCondition, now: string): CrdCondition[] {
  const before = conditions.find(({ type }) => type === wanted.type);
  const lastTransitionTime = before?.status === wanted.status ? before.lastTransitionTime : now;
  const { type, status, reason, message } = wanted;
  const next = { lastTransitionTime, message, reason, status, type };
  if (!before) return [...conditions, next];
  return conditions.map((condition) => (condition.type === wanted.type ? next : condition));
}
