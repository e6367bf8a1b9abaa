import { buildNode, type JsonSchema, prune } from '@klutch/cel';
import { type CompositeResourceDefinition, crdsOf } from '@klutch/xrd';
import type { JsonObject } from '../model/catalogue.ts';

/** A claim as a server stores it. */
export interface PrunedClaim {
  readonly claim: JsonObject;
  /** Fields that were dropped because nothing defines them, such as `spec.parameters.slots`. */
  readonly dropped: readonly string[];
}

/** Pure: what a server keeps of a claim. `definition` is a CompositeResourceDefinition, or the CRD of the claim. */
export function pruneClaim(claim: JsonObject, definition: JsonObject): PrunedClaim {
  const copy = structuredClone(claim);
  const dropped = prune(copy, { ...buildNode(schemaOf(definition)), embedded: true }, { dropsNulls: true });
  return { claim: copy, dropped };
}

function schemaOf(definition: JsonObject): JsonSchema {
  const isCrd = definition['kind'] === 'CustomResourceDefinition';
  const crd = isCrd ? definition : crdsOf(definition as object as CompositeResourceDefinition).claim;
  const { versions = [] } = (crd?.spec ?? {}) as { readonly versions?: readonly StoredVersion[] };
  return versions.find(({ storage }) => storage)?.schema?.openAPIV3Schema ?? {};
}

interface StoredVersion {
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
}
