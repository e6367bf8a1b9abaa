import { type Catalogue, compositionsOf, definitionOf, providerConfigsOf, templatesOf } from '@klutch/catalog';
import type { KubeClient, ResourceType, UnknownObject } from '@klutch/kube';
import { crdsOf } from '@klutch/xrd';
import { Definitions, isServed, typeOfObject } from './object-types.ts';

/** What a control plane should have, in the order in which it can be applied. */
export interface Desired {
  /** Definitions; where nothing would make CRDs of them, the CRDs. */
  readonly definitions: readonly UnknownObject[];
  readonly compositions: readonly UnknownObject[];
  readonly templates: readonly UnknownObject[];
  /** Operators fill them in, so that those which are there are not changed. */
  readonly providerConfigs: readonly UnknownObject[];
  /** Types that the control plane does not know; their objects are left out. */
  readonly missing: readonly ResourceType[];
}

/** The objects of a catalogue, as far as a control plane knows their types. */
export async function desiredOn(client: KubeClient, catalogue: Catalogue, signal: AbortSignal): Promise<Desired> {
  const answers = new Map<string, Promise<boolean>>();
  const missing = new Map<string, ResourceType>();
  const isKnown = async (type: ResourceType): Promise<boolean> => {
    const name = `${type.plural}.${type.version}.${type.group}`;
    const answer = answers.get(name) ?? isServed(client, type, signal);
    answers.set(name, answer);
    if (!(await answer)) missing.set(name, type);
    return await answer;
  };
  const known = async (objects: readonly object[]): Promise<readonly UnknownObject[]> => {
    const kept: UnknownObject[] = [];
    for (const object of objects as readonly UnknownObject[])
      if (await isKnown(typeOfObject(object))) kept.push(object);
    return kept;
  };
  const definitions = [...catalogue.services, ...catalogue.operations].map((offer) => definitionOf(offer, catalogue));
  const hasEngine = await isKnown(Definitions);
  return {
    definitions: await known(hasEngine ? definitions : definitions.flatMap(crdsIn)),
    compositions: await known(compositionsOf(catalogue)),
    templates: await known(templatesOf(catalogue)),
    providerConfigs: await known(providerConfigsOf(catalogue)),
    missing: [...missing.values()],
  };
}

function crdsIn(definition: Parameters<typeof crdsOf>[0]): readonly object[] {
  const { claim, composite } = crdsOf(definition);
  return claim ? [claim, composite] : [composite];
}
