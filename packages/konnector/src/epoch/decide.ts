import type { Mark, Stamp } from './mark.ts';

/** Epochs that a mark remembers. Copies of earlier ones are held when their original is missing without a trace. */
export const mostPast = 200;

/** Whether a stamp was taken in the history that a mark tells. */
export function includes(mark: Mark, { epoch, count }: Stamp): boolean {
  const last = epoch === mark.epoch ? mark : mark.past.find((stamp) => stamp.epoch === epoch);
  return last !== undefined && count <= last.count;
}

/** The mark with one more stamp. */
export function advanced(mark: Mark): Mark {
  return { ...mark, count: mark.count + 1 };
}

/** The mark by which somebody who begins an epoch goes on from what was found. No stamp is taken yet. */
export function begun(found: Mark | undefined, epoch: string): Mark {
  if (found === undefined) return { epoch, count: 0, past: [] };
  const { count, past } = found;
  const hasStamps = count > (past[0]?.count ?? 0);
  return { epoch, count, past: hasStamps ? [{ epoch: found.epoch, count }, ...past].slice(0, mostPast) : past };
}

/** How a mark that was written or read before stands to the one that is there now. */
export interface Continuation {
  /** From which to go on. */
  readonly mark: Mark;
  /** The cluster went back to a state from before the known mark. */
  readonly isSetBack: boolean;
}

/**
 * How to go on from the mark that is found now.
 *
 * @param known what was last written or read; undefined: nothing yet
 * @param own the epoch in which this process writes; undefined: none yet
 * @param fresh an epoch that nobody has used: nobody else goes on in it
 */
export function goOn(
  known: Mark | undefined,
  own: string | undefined,
  found: Mark | undefined,
  fresh: string,
): Continuation {
  const isSetBack = known !== undefined && (found === undefined || !includes(found, known));
  // A write whose answer was lost may have gone further; what it took was given to nobody.
  if (found !== undefined && !isSetBack && found.epoch === own) return { mark: found, isSetBack };
  return { mark: begun(found, fresh), isSetBack };
}
