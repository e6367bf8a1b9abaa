import { type FieldChange, fieldChanges, type JsonObject } from '@klutch/catalog';
import type { KubeClient, ResourceType, UnknownObject } from '@klutch/kube';
import type { Desired } from './desired.ts';
import { refTo, typeOfObject } from './object-types.ts';

/** Under this name the catalogue owns what it has applied. */
export const catalogueManager = 'klutch-catalog';

/** An object of the catalogue, as it is on a control plane and as it would be. */
export interface Compared {
  readonly desired: UnknownObject;
  /** Undefined: it is not there yet. */
  readonly live: UnknownObject | undefined;
  readonly after: UnknownObject;
  /** Of what operators and engines do not write. */
  readonly changes: readonly FieldChange[];
}

/** How a control plane differs from a catalogue. */
export interface Comparison {
  readonly definitions: readonly Compared[];
  readonly compositions: readonly Compared[];
  readonly templates: readonly Compared[];
  readonly providerConfigs: readonly Compared[];
  /** What an earlier catalogue has applied and this one does not have. Nothing deletes it: instances go with their definition. */
  readonly leftover: readonly UnknownObject[];
}

/** Asks the control plane what applying would make of each object; changes nothing. */
export async function compare(client: KubeClient, desired: Desired, signal: AbortSignal): Promise<Comparison> {
  const all = (objects: readonly UnknownObject[]) => inTurns(objects, (object) => compareOne(client, object, signal));
  return {
    definitions: await all(desired.definitions),
    compositions: await all(desired.compositions),
    templates: await all(desired.templates),
    providerConfigs: await inTurns(desired.providerConfigs, (object) => onlyIfMissing(client, object, signal)),
    leftover: await leftoverOn(client, [...desired.definitions, ...desired.compositions, ...desired.templates], signal),
  };
}

async function leftoverOn(
  client: KubeClient,
  desired: readonly UnknownObject[],
  signal: AbortSignal,
): Promise<readonly UnknownObject[]> {
  const types = new Map(desired.map((object) => [object.kind, typeOfObject(object)]));
  const names = new Set(desired.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  const found: UnknownObject[] = [];
  for (const type of types.values()) {
    for await (const page of client.resource(type).pages({ signal })) {
      const left = page.items.filter((item) => isOwned(item) && !names.has(`${type.kind} ${item.metadata.name}`));
      // Items of a list do not say what they are.
      found.push(...left.map((item) => ({ ...item, kind: type.kind })));
    }
  }
  return found;
}

/** Whether the catalogue has applied an object. */
export function isOwned(live: UnknownObject | undefined): boolean {
  const managers = (live?.metadata.managedFields ?? []) as readonly { readonly manager?: string }[];
  return managers.some(({ manager }) => manager === catalogueManager);
}

async function compareOne(client: KubeClient, desired: UnknownObject, signal: AbortSignal): Promise<Compared> {
  return { desired, ...(await wouldBecome(client, typeOfObject(desired), desired, signal)) };
}

/** What applying would make of one object; changes nothing. */
export async function wouldBecome(
  client: KubeClient,
  type: ResourceType,
  desired: UnknownObject,
  signal: AbortSignal,
): Promise<Omit<Compared, 'desired'>> {
  const resource = client.resource(type);
  const live = await resource.find(refTo(desired), { signal });
  const options = { fieldManager: catalogueManager, force: true, dryRun: true, signal };
  const after = live ? await resource.apply(desired, options) : desired;
  return { live, after, changes: live ? fieldChanges(own(live), own(after)) : [] };
}

async function onlyIfMissing(client: KubeClient, desired: UnknownObject, signal: AbortSignal): Promise<Compared> {
  const live = await client.resource(typeOfObject(desired)).find(refTo(desired), { signal });
  return { desired, live, after: live ?? desired, changes: [] };
}

/** Without what servers and engines write by themselves. */
function own(object: UnknownObject): JsonObject {
  const { labels = {}, annotations = {} } = object.metadata;
  const written = Object.entries(object).filter(([field]) => field !== 'metadata' && field !== 'status');
  return { ...Object.fromEntries(written), metadata: { labels, annotations } };
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
