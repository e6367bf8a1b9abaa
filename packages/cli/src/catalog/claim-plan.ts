import {
  type Catalogue,
  type ComposedObjects,
  composingOf,
  compositionsOf,
  definitionOf,
  type FieldChange,
  fieldChanges,
  type JsonObject,
  judgeOf,
  preview,
} from '@klutch/catalog';
import { yamlOf } from '../terminal/output.ts';

/** What becomes of a claim. */
export interface ClaimPlan {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly isChange: boolean;
  /** `unknown`: it would be accepted, and it cannot be told what is composed. */
  readonly outcome: 'refused' | 'created' | 'changed' | 'unchanged' | 'unknown';
  readonly refusals: readonly { readonly field: string; readonly message: string }[];
  readonly composition?: string;
  /** What is composed from it, by the names of templates. */
  readonly composed: ComposedObjects;
  /** In which fields that differs from what is composed now. */
  readonly changes: readonly FieldChange[];
  readonly why?: string;
}

/** Says what a claim would create, what it would change `before`, or why it would be refused. */
export type Planner = (claim: JsonObject, before?: JsonObject) => ClaimPlan;

/** Pure: plans by a catalogue alone. */
export function plannerOf(catalogue: Catalogue): Planner {
  const judge = judgeOf(catalogue);
  const composed = composer(catalogue);
  return (claim, before) => {
    const about = { ...placeOf(claim), isChange: before !== undefined };
    const nothing = { ...about, refusals: [], composed: {}, changes: [] };
    const verdict = judge(claim, before);
    if (!verdict.accepted) return { ...nothing, outcome: 'refused', refusals: verdict.refusals };
    const made = composed(claim);
    if (made.why !== undefined) return { ...nothing, ...made, outcome: 'unknown' };
    if (before === undefined) return { ...nothing, ...made, outcome: 'created' };
    const changes = fieldChanges(composed(before).composed, made.composed);
    return { ...nothing, ...made, changes, outcome: changes.length > 0 ? 'changed' : 'unchanged' };
  };
}

interface Made {
  readonly composition?: string;
  readonly composed: ComposedObjects;
  readonly why?: string;
}

function composer(catalogue: Catalogue): (claim: JsonObject) => Made {
  const compositions = Object.fromEntries(
    compositionsOf(catalogue).map((composition) => [composition.metadata.name, composition as object as JsonObject]),
  );
  const definitions = new Map(
    [...catalogue.services, ...catalogue.operations].map((offer) => [
      offer.kind,
      definitionOf(offer, catalogue) as object as JsonObject,
    ]),
  );
  return (claim) => {
    const composing = composingOf(claim, { definition: definitions.get(String(claim['kind'])), compositions });
    if (composing.is === 'unknown') return { composed: {}, why: composing.why };
    const outcome = preview(composing.composition, claim);
    const made = { composition: composing.name, composed: {} };
    return outcome.is === 'value' ? { ...made, composed: outcome.value } : { ...made, why: outcome.why };
  };
}

/** Pure: whether two manifests are of the same claim. */
export function isSameClaim(one: JsonObject, other: JsonObject): boolean {
  const [a, b] = [placeOf(one), placeOf(other)];
  return a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;
}

function placeOf(claim: JsonObject) {
  const { name = '', namespace = 'default' } = claim['metadata'] as JsonObject;
  return { kind: String(claim['kind']), namespace: String(namespace), name: String(name) };
}

/** A plan in words. */
export async function planLines({
  kind,
  namespace,
  name,
  outcome,
  refusals,
  composition = '',
  composed,
  changes,
  why,
}: ClaimPlan): Promise<readonly string[]> {
  const who = `${kind} ${namespace}/${name}`;
  switch (outcome) {
    case 'refused':
      return [`${who} would be refused:`, ...refusals.map(({ field, message }) => `  ${field}: ${message}`)];
    case 'unknown':
      return [`${who} would be accepted. It cannot be told what is composed: ${why}.`];
    case 'unchanged':
      return [`${who} would be changed, and what is composed by ${composition} stays as it is.`];
    case 'changed':
      return [`${who} would be changed. Composed by ${composition}:`, ...changes.map(changeLine)];
    case 'created':
      return [`${who} would be created. Composed by ${composition}:`, await yamlOf(Object.values(composed))];
  }
}

function changeLine({ path, before, after }: FieldChange): string {
  return `  ${path}: ${JSON.stringify(before) ?? 'not set'} -> ${JSON.stringify(after) ?? 'not set'}`;
}
