import { isDeepStrictEqual } from 'node:util';

/** An object as its author left it. */
export interface Present<Content> {
  /** Unknown while the answer to its creation is lost. */
  readonly uid: string | undefined;
  readonly content: Content;
}

/** One thing that may be true of an object. `absent` includes: its author has deleted it, and finalizers still hold it. */
export type Outcome<Content> = 'absent' | Present<Content>;

/** A write of the author. */
export type Write<Content> =
  | { readonly do: 'create'; readonly content: Content }
  | { readonly do: 'change'; readonly change: (content: Content) => Content }
  | { readonly do: 'delete' };

/** An object as a server shows it. */
export interface Shown<Content> {
  readonly uid: string | undefined;
  readonly content: Content;
  /** It has a deletion timestamp. */
  readonly isEnding: boolean;
}

/** What the author learned about a write. */
export type Answer<Content> =
  /** The object after a creation or a change; undefined after a deletion. */
  | { readonly is: 'done'; readonly shown: Shown<Content> | undefined }
  | { readonly is: 'notFound' }
  /** The server did not carry it out. */
  | { readonly is: 'refused' }
  /** Nobody knows whether the server carried it out. */
  | { readonly is: 'lost' };

/**
 * Pure: everything that may be true of an object after a write, given everything that might have been true before. Nothing
 * is left when only somebody else can have caused that answer.
 */
export function outcomesAfter<Content>(
  before: readonly Outcome<Content>[],
  write: Write<Content>,
  answer: Answer<Content>,
): readonly Outcome<Content>[] {
  return distinct(before.flatMap((outcome) => explanations(outcome, write, answer)));
}

/** Pure: whether one of the outcomes is what a server shows; undefined: no such object. */
export function isAmong<Content>(outcomes: readonly Outcome<Content>[], shown: Shown<Content> | undefined): boolean {
  return outcomes.some((outcome) => {
    if (outcome === 'absent' || shown === undefined) return outcome === 'absent' && shown === undefined;
    return !shown.isEnding && isSame(outcome, shown);
  });
}

function explanations<Content>(
  outcome: Outcome<Content>,
  write: Write<Content>,
  answer: Answer<Content>,
): readonly Outcome<Content>[] {
  switch (answer.is) {
    case 'refused':
      return [outcome];
    case 'notFound':
      return outcome === 'absent' ? [outcome] : [];
    case 'lost':
      return [outcome, effect(outcome, write)];
    case 'done':
      return answer.shown === undefined ? ['absent'] : explanationOf(answer.shown, outcome, write);
  }
}

function explanationOf<Content>(
  shown: Shown<Content>,
  outcome: Outcome<Content>,
  write: Write<Content>,
): readonly Outcome<Content>[] {
  if (shown.isEnding) return outcome === 'absent' ? [outcome] : [];
  if (write.do === 'create' && outcome !== 'absent') return [];
  const expected = effect(outcome, write);
  return expected !== 'absent' && isSame(expected, shown) ? [{ uid: shown.uid, content: shown.content }] : [];
}

/** What the write leads to if the server carries it out, or has to refuse it. */
function effect<Content>(outcome: Outcome<Content>, write: Write<Content>): Outcome<Content> {
  switch (write.do) {
    case 'create':
      return outcome === 'absent' ? { uid: undefined, content: write.content } : outcome;
    case 'change':
      return outcome === 'absent' ? outcome : { uid: outcome.uid, content: write.change(outcome.content) };
    case 'delete':
      return 'absent';
  }
}

function isSame<Content>(present: Present<Content>, shown: Shown<Content>): boolean {
  return (present.uid === undefined || present.uid === shown.uid) && isDeepStrictEqual(present.content, shown.content);
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return values.filter((one, index) => values.findIndex((other) => isDeepStrictEqual(one, other)) === index);
}
