import { type Condition, type CustomResourceDefinition, CustomResourceDefinitions } from '@klutch/api';
import { deepEqual } from '@klutch/cel';
import type { KubeClient, UnknownObject } from '@klutch/kube';
import { type CompositeResourceDefinition, crdsOf } from '@klutch/xrd';
import { Definitions, refTo, typeOfObject } from './object-types.ts';

/** Why a definition or a CRD is not in force yet; undefined: it is. */
export async function waitsFor(
  client: KubeClient,
  desired: UnknownObject,
  signal: AbortSignal,
): Promise<string | undefined> {
  const live = await client.resource(typeOfObject(desired)).find(refTo(desired), { signal });
  const isDefinition = desired.kind === Definitions.kind;
  const claim = isDefinition ? crdsOf(desired as object as CompositeResourceDefinition).claim : undefined;
  const name = desired.metadata.name ?? '';
  for (const condition of claim ? ['Established', 'Offered'] : ['Established']) {
    if (!isTrue(live, condition)) return `${name} is not ${condition}`;
  }
  if (claim === undefined) return undefined;
  const crd = await client.resource(CustomResourceDefinitions).find({ name: claim.metadata.name ?? '' }, { signal });
  return crd && followsFrom(schemaOf(claim), schemaOf(crd))
    ? undefined
    : `${claim.metadata.name} does not follow ${name} yet`;
}

/** Pure: whether a CRD has the fields and rules that it should have; releases of Crossplane add different ones of their own. */
export function followsFrom(expected: SpecSchema, live: SpecSchema): boolean {
  const rules = 'x-kubernetes-validations';
  const fields = Object.entries(expected.properties ?? {});
  return (
    deepEqual(expected[rules], live[rules]) &&
    fields.every(([name, field]) => isEngineField(name) || deepEqual(field, live.properties?.[name]))
  );
}

interface SpecSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly 'x-kubernetes-validations'?: readonly unknown[];
}

function schemaOf(crd: CustomResourceDefinition): SpecSchema {
  const schema = crd.spec.versions.find(({ storage }) => storage)?.schema?.openAPIV3Schema;
  return (schema as { readonly properties?: { readonly spec?: SpecSchema } } | undefined)?.properties?.spec ?? {};
}

function isEngineField(name: string): boolean {
  return /^(?:composit|publishConnectionDetailsTo$|resourceRef$|writeConnectionSecretToRef$)/.test(name);
}

function isTrue(object: UnknownObject | undefined, type: string): boolean {
  const { conditions = [] } = (object?.['status'] ?? {}) as { readonly conditions?: readonly Condition[] };
  return conditions.some((condition) => condition.type === type && condition.status === 'True');
}
