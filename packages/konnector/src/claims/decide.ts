import { ResourceOwner } from '@klutch/api';
import type { UnknownObject } from '@klutch/kube';
import { type Owner, otherSide, type Role } from './copy-marks.ts';
import { hasContent, hasMetadata, needsNewObject } from './render-copy.ts';
import type { Rule } from './rule.ts';

/** The two objects of one name, as far as they exist. */
export interface Seen {
  /** On the control plane. */
  readonly Provider: SeenObject;
  /** In the app cluster. */
  readonly Consumer: SeenObject;
  /** The app namespace is gone and its place is being given up. */
  readonly ending: boolean;
  /** Whether the absence of an object on a side proves that somebody deleted it. */
  readonly absenceProves: Readonly<Record<Owner, boolean>>;
  /** Somebody was seen deleting the object on a side. */
  readonly deletionSeen: Readonly<Record<Owner, boolean>>;
  /** The copy that the given owner's original should have. */
  readonly render: (owner: Owner, rule: Rule, copy?: UnknownObject) => UnknownObject;
  /** Whether the copy is what came of writing `wanted`, although it differs: servers add defaults. */
  readonly cameOf: (copy: UnknownObject, wanted: UnknownObject) => boolean;
}

export type SeenObject =
  | { readonly role: 'absent' }
  | {
      readonly role: Role;
      readonly object: UnknownObject;
      /** The claim that means this object as an original of its side. */
      readonly rule?: Rule;
    };

type Present = Exclude<SeenObject, { role: 'absent' }>;

/** What has to be done. `owner` is the side of the original; the copy lies on the other. */
export type Step =
  | { readonly do: 'nothing' }
  /** Write down whom the original belongs to; everything else is as it should be. */
  | { readonly do: 'mark'; readonly owner: Owner }
  | {
      readonly do: 'create' | 'update' | 'recreate';
      readonly owner: Owner;
      readonly wanted: UnknownObject;
      /** The original has to be marked too. */
      readonly mark: boolean;
    }
  | { readonly do: 'remove'; readonly owner: Owner; readonly why: Removal }
  /** Both sides have an object of that name which is not a copy of the other. */
  | { readonly do: 'conflict'; readonly rules: readonly Rule[] }
  /** A copy without an original stays, because nothing proves that the original was deleted. */
  | { readonly do: 'hold'; readonly owner: Owner };

export type Removal = 'the original is gone' | 'the original is being deleted' | 'it is not claimed';

const nothing: Step = { do: 'nothing' };

/** What has to happen to a pair of objects of one name in one namespace. */
export function decide(seen: Seen): Step {
  const { Provider: provider, Consumer: consumer } = seen;
  if (isCopy(provider) && isCopy(consumer)) return nothing;
  if (isCopy(consumer)) return keepInStep(ResourceOwner.Provider, seen);
  if (isCopy(provider)) return keepInStep(ResourceOwner.Consumer, seen);
  if (consumer.role === 'absent') return keepInStep(ResourceOwner.Provider, seen);
  if (provider.role === 'absent') return keepInStep(ResourceOwner.Consumer, seen);
  if (ruleOf(provider)?.replaceExisting && consumer.role !== 'foreign') return keepInStep(ResourceOwner.Provider, seen);
  return conflict(provider, consumer);
}

/** The original's side and the direction are known: bring the copy in step with the original. */
function keepInStep(owner: Owner, seen: Seen): Step {
  const original = seen[owner];
  const copy = seen[otherSide(owner)];
  if (original.role === 'absent') return copy.role === 'absent' ? nothing : withoutOriginal(owner, copy, seen);
  if (isTerminating(copy)) return nothing;
  if (isTerminating(original)) return isCopy(copy) ? remove(owner, 'the original is being deleted') : nothing;
  const { rule } = original;
  // What an earlier konnector copied beyond the claims is left to people.
  if (rule === undefined) return copy.role === 'copy' ? remove(owner, 'it is not claimed') : nothing;
  if (seen.ending) return nothing;
  const mark = original.role === 'plain';
  if (copy.role === 'absent') {
    const wasDeletedByUser = owner === ResourceOwner.Provider && !rule.recreate && original.role === 'original';
    return wasDeletedByUser ? nothing : { do: 'create', owner, wanted: seen.render(owner, rule), mark };
  }
  const wanted = seen.render(owner, rule, copy.object);
  const isSettled = hasContent(copy.object, wanted) || seen.cameOf(copy.object, wanted);
  if (isSettled && hasMetadata(copy.object, wanted)) return mark ? { do: 'mark', owner } : nothing;
  const isNew = !isSettled && (rule.alwaysRecreate || needsNewObject(copy.object, wanted));
  return { do: isNew ? 'recreate' : 'update', owner, wanted, mark };
}

function withoutOriginal(owner: Owner, copy: Present, seen: Seen): Step {
  if (!isCopy(copy) || isTerminating(copy)) return nothing;
  const isOurs = copy.role === 'copy';
  // A copy of a Go konnector may be one of another control plane.
  if (owner === ResourceOwner.Provider && !isOurs) return nothing;
  const isProven = seen.ending || seen.deletionSeen[owner] || (isOurs && seen.absenceProves[owner]);
  return isProven ? remove(owner, 'the original is gone') : { do: 'hold', owner };
}

function conflict(...objects: readonly SeenObject[]): Step {
  const rules = objects.flatMap((object) => ruleOf(object) ?? []);
  return rules.length === 0 ? nothing : { do: 'conflict', rules };
}

function remove(owner: Owner, why: Removal): Step {
  return { do: 'remove', owner, why };
}

function ruleOf(object: SeenObject): Rule | undefined {
  return object.role === 'absent' ? undefined : object.rule;
}

function isCopy({ role }: SeenObject): boolean {
  return role === 'copy' || role === 'oldCopy';
}

function isTerminating(seen: SeenObject): boolean {
  return seen.role !== 'absent' && seen.object.metadata.deletionTimestamp !== undefined;
}
