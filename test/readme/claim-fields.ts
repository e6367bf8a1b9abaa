import { type CompositeResourceDefinition, crdsOf } from '@klutch/xrd';

/** Fields of `spec` that a developer can write in a claim. */
export function claimFields(definition: CompositeResourceDefinition): readonly string[] {
  const schema = crdsOf(definition).claim?.spec.versions[0]?.schema?.openAPIV3Schema;
  const { properties } = schema as { properties: { spec: { properties: object } } };
  return Object.keys(properties.spec.properties);
}
