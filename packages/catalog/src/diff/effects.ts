import { deepEqual } from '@klutch/cel';
import type { JsonObject } from '../model/catalogue.ts';
import { isMap } from '../preview/field-path.ts';
import { type ComposedObjects, preview } from '../preview/preview.ts';
import type { Judge, Verdict } from '../rules/judge-claim.ts';
import { type Composing, composingOf, type Offering } from './composing.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';
import { pruneClaim } from './prune-claim.ts';

/** A claim that exists, and whose it is. */
export interface Instance {
  readonly claim: JsonObject;
  readonly tenant?: Tenant;
}

/** The owner of an instance; claims that an operator made himself have none. */
export interface Tenant {
  readonly name: string;
  /** The namespace that stands for the app cluster. */
  readonly clusterNamespace: string;
  readonly identity?: string;
}

/** What happens to an instance. One without findings stays as it is. */
export interface Effect {
  readonly instance: Instance;
  readonly findings: readonly Finding[];
  /** Fields of composed objects that get another value, below the name of the template. */
  readonly changes: readonly FieldChange[];
}

/**
 * `breaks`: it cannot be edited, cannot be composed, or loses a setting. `changes`: what is composed from it changes. `stranded`: nobody gets
 * such a one any more, and it can still be edited. `unknown`: it cannot be told what is composed from it.
 */
export interface Finding {
  readonly is: 'breaks' | 'changes' | 'stranded' | 'unknown';
  readonly sentence: string;
}

/** Pure: what becomes of an instance when a control plane offers something else than before. `judge` knows the rules from then on. */
export function effectOn(instance: Instance, before: Offering, after: Offering, judge: Judge): Effect {
  const { claim } = instance;
  const composed = composedChanges(claim, composingOf(claim, before), composingOf(claim, after, before));
  const ofRules = deepEqual(before.definition?.['spec'], after.definition?.['spec'])
    ? []
    : ruleFindings(claim, before, after, judge);
  return { instance, findings: [...ofRules, ...composed.findings], changes: composed.changes };
}

function ruleFindings(given: JsonObject, before: Offering, after: Offering, judge: Judge): readonly Finding[] {
  if (!after.definition) return [];
  const known = before.definition ? pruneClaim(given, before.definition).claim : given;
  const { claim, dropped } = pruneClaim(known, after.definition);
  const losses = dropped.map(
    (field): Finding => ({ is: 'breaks', sentence: `It loses ${field}, which is no longer offered.` }),
  );
  const edited = judge(claim, claim);
  if (!edited.accepted) {
    return [...losses, { is: 'breaks', sentence: `Every edit of it would be refused: ${reasonsOf(edited)}` }];
  }
  const created = judge(claim);
  if (created.accepted) return losses;
  const sentence = `It keeps what it has and can be edited, but nobody gets such a one any more: ${reasonsOf(created)}`;
  return [...losses, { is: 'stranded', sentence }];
}

function reasonsOf({ refusals }: Extract<Verdict, { readonly accepted: false }>): string {
  return refusals.map(({ field, message }) => `${field}: ${message}`).join(' ');
}

interface Composed {
  readonly findings: readonly Finding[];
  readonly changes: readonly FieldChange[];
}

const same: Composed = { findings: [], changes: [] };

function composedChanges(claim: JsonObject, before: Composing, after: Composing): Composed {
  if (isSame(before, after)) return same;
  if (before.is === 'unknown') return finding('unknown', `It cannot be told what changes: ${before.why}.`);
  if (after.is === 'unknown') return finding('unknown', `It cannot be told what changes: ${after.why}.`);
  const [was, becomes] = [preview(before.composition, claim), preview(after.composition, claim)];
  if (becomes.is === 'fails') {
    if (was.is === 'fails') return same;
    return finding('breaks', `Composition ${after.name} could not compose it any more: ${becomes.why}.`);
  }
  if (becomes.is === 'unknown') return finding('unknown', `It cannot be told what changes: ${becomes.why}.`);
  if (was.is === 'unknown') return finding('unknown', `It cannot be told what changes: ${was.why}.`);
  return changed(was.is === 'value' ? was.value : {}, becomes.value);
}

function isSame(before: Composing, after: Composing): boolean {
  if (before.is === 'unknown' || after.is === 'unknown') return deepEqual(before, after);
  return deepEqual(before.composition['spec'], after.composition['spec']);
}

function changed(before: ComposedObjects, after: ComposedObjects): Composed {
  const changes = fieldChanges(before, after);
  if (changes.length === 0) return same;
  const gone = Object.keys(before).filter((name) => identityOf(after[name]) !== identityOf(before[name]));
  if (gone.length > 0) {
    const sentence = `Its composed object ${gone.join(', ')} would be deleted, with its data.`;
    return { findings: [{ is: 'breaks', sentence }], changes };
  }
  const fields = changes.map(({ path }) => path).join(', ');
  return { findings: [{ is: 'changes', sentence: `What is composed from it changes in ${fields}.` }], changes };
}

/** An object of another kind or name is another object. */
function identityOf(object: JsonObject | undefined): string {
  const { apiVersion, kind, metadata } = object ?? {};
  const group = typeof apiVersion === 'string' ? apiVersion.replace(/(?:\/|^)[^/]*$/, '') : '';
  return JSON.stringify([group, kind ?? null, isMap(metadata) ? (metadata['name'] ?? null) : null]);
}

function finding(is: Finding['is'], sentence: string): Composed {
  return { findings: [{ is, sentence }], changes: [] };
}
