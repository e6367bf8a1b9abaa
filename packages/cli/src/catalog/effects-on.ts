import { CustomResourceDefinitions } from '@klutch/api';
import { type Catalogue, type Effect, effectOn, type JsonObject, judgeOf, type Offering } from '@klutch/catalog';
import { isKubeError, type KubeClient, type ResourceType, type UnknownObject } from '@klutch/kube';
import type { Compared, Comparison } from './compare.ts';
import { instancesOf, tenantsByNamespace } from './instances.ts';
import { Compositions } from './object-types.ts';

/** What applying a catalogue would do to each instance of a control plane. Changes nothing. */
export async function effectsOn(
  client: KubeClient,
  catalogue: Catalogue,
  comparison: Comparison,
  signal: AbortSignal,
): Promise<readonly Effect[]> {
  const tenants = await tenantsByNamespace(client, signal);
  const compositions = await compositionsOn(client, signal);
  const composed = { before: compositions, after: { ...compositions, ...byName(comparison.compositions) } };
  const judge = judgeOf(catalogue);
  const effects: Effect[] = [];
  for (const definition of comparison.definitions) {
    const type = claimTypeOf(definition.desired);
    if (type === undefined || definition.live === undefined) continue;
    const before: Offering = { definition: asJson(definition.live), compositions: composed.before };
    const after: Offering = { definition: asJson(definition.after), compositions: composed.after };
    const instances = await instancesOf(client, type, tenants, signal);
    effects.push(...instances.map((instance) => effectOn(instance, before, after, judge)));
  }
  return effects;
}

/** The claims that a definition, or a CRD, is about; undefined: none. */
function claimTypeOf(object: UnknownObject): ResourceType | undefined {
  const { group, claimNames, names, scope } = object['spec'] as DefinedKinds;
  const claims =
    object.kind === CustomResourceDefinitions.kind ? (scope === 'Namespaced' ? names : undefined) : claimNames;
  return claims && { group, version: 'v1', plural: claims.plural, kind: claims.kind, namespaced: true };
}

interface DefinedKinds {
  readonly group: string;
  readonly scope?: string;
  readonly names: { readonly plural: string; readonly kind: string };
  readonly claimNames?: { readonly plural: string; readonly kind: string };
}

async function compositionsOn(client: KubeClient, signal: AbortSignal): Promise<Readonly<Record<string, JsonObject>>> {
  const found: UnknownObject[] = [];
  try {
    for await (const page of client.resource(Compositions).pages({ signal })) found.push(...page.items);
  } catch (error) {
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
  }
  return Object.fromEntries(found.map((object) => [object.metadata.name ?? '', asJson(object)]));
}

function byName(compared: readonly Compared[]): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(compared.map(({ after }) => [after.metadata.name ?? '', asJson(after)]));
}

function asJson(object: UnknownObject): JsonObject {
  return object as object as JsonObject;
}
