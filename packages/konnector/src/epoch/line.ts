import { randomBytes } from 'node:crypto';
import { KubeError, type Logger } from '@klutch/kube';
import { advanced, goOn, includes } from './decide.ts';
import { type Mark, parseStamp, renderStamp } from './mark.ts';
import { shareNext } from './share-next.ts';

/** The history of one cluster, as its mark tells it: whether something is missing there because somebody deleted it. */
export interface Line {
  /**
   * A stamp for copies of what is in the cluster by now: it is stored there when the promise resolves. Undefined where no
   * mark can be kept. Rejects when the cluster was set back meanwhile, and may be tried again then.
   */
  reserve(): Promise<string | undefined>;
  /**
   * A stamp for a copy of what has just answered, which is on its way to be stored, so that nobody has to wait. One that does not
   * arrive at once is never in the history of the cluster, and proves nothing. Undefined when it has to be reserved.
   */
  promise(): string | undefined;
  /** What is known of the stamp of a copy without asking. */
  judge(stamp: string | undefined): Origin;
  /** Grows when the cluster is found to have gone back in time: what was asked before proves nothing after. */
  timesSetBack(): number;
  /**
   * Asks the cluster whether it is still in the history in which the stamp was taken. Ask after its original was found
   * missing.
   *
   * @param timesSetBack as it was before the cluster was asked for the original
   */
  confirm(stamp: string | undefined, timesSetBack: number): Promise<boolean>;
}

/**
 * Where the original of a copy was when the copy got its stamp: in the history of this cluster, in one that it does not
 * have (it was set back, its mark was lost, or a twin took the stamp), or nobody knows.
 */
export type Origin = 'here' | 'elsewhere' | 'unknown';

/** Where a mark is kept. */
export interface Carrier {
  read(): Promise<Mark | undefined>;
  /** Puts `change(found)` in the place of what is found, compared and swapped; may call it again when that has changed. */
  write(change: (found: Mark | undefined) => Mark): Promise<void>;
}

export interface LineOptions {
  readonly carrier: Carrier;
  /** Fetches anew all that is known of the cluster, because it went back in time; its informers would not notice. */
  readonly relist: () => Promise<void>;
  readonly log: Logger;
  /** The mark as it was found before; undefined: not yet. */
  readonly found?: Mark;
}

/** A line and what its carrier needs. */
export interface KeptLine extends Line {
  /** Reads the mark, so that the first judgement has one. */
  look(): Promise<Mark | undefined>;
  /** What to write in the place of a mark that is found; `takes`: with a new stamp. */
  next(found: Mark | undefined, takes: boolean): Mark;
  /** The mark was written. */
  wrote(mark: Mark): void;
  /** The cluster went back to a state with this mark. */
  wentBack(found: Mark | undefined): void;
  /** A mark was sent, and nobody knows whether it is stored: what was promised with it must not come true later. */
  failed(): void;
  /** Begins anew with whatever is found. */
  forget(): void;
}

export function createLine({ carrier, relist, log, found: first }: LineOptions): KeptLine {
  let known: Mark | undefined = first;
  let own: string | undefined;
  let timesSetBack = 0;
  let relisted: Promise<void> = Promise.resolve();
  let isRelisted = true;
  /** The count that is being stored. */
  let storing: number | undefined;

  function wentBack(found: Mark | undefined): void {
    timesSetBack += 1;
    known = found;
    own = undefined;
    log.warn({}, 'the cluster is in an earlier state than it was: everything is read anew');
    isRelisted = false;
    relisted = relist().finally(() => (isRelisted = true));
  }

  function next(found: Mark | undefined, takes: boolean): Mark {
    const { mark, isSetBack } = goOn(known, own, found, randomBytes(9).toString('base64url'));
    if (isSetBack) wentBack(found);
    return takes ? advanced(mark) : mark;
  }

  function wrote(mark: Mark): void {
    known = mark;
    own = mark.epoch;
  }

  const look = shareNext(async () => {
    // Compared with what was known when the request was sent: writes may be answered meanwhile.
    const before = known;
    const found = await carrier.read();
    if (known !== before) return found;
    if (before !== undefined && (found === undefined || !includes(found, before))) wentBack(found);
    else known = found;
    return found;
  });

  function failed(): void {
    own = undefined;
  }

  const reserve = shareNext(async () => {
    storing = known && known.count + 1;
    // What a stamp is asked for must have been seen in the state that the cluster has now.
    await relisted;
    const before = timesSetBack;
    let written: Mark | undefined;
    try {
      await carrier.write((found) => {
        written = next(found, true);
        return written;
      });
    } catch (error) {
      failed();
      throw error;
    } finally {
      storing = undefined;
    }
    if (written !== undefined) wrote(written);
    if (timesSetBack !== before) throw new KubeError('KUBE_CONFLICT', 'The cluster went back to an earlier state.');
    return known && renderStamp(known);
  });

  return {
    look,
    next,
    wrote,
    wentBack,
    reserve,
    promise: () => {
      if (own === undefined || known?.epoch !== own || !isRelisted) return undefined;
      const count = (storing ?? known.count) + 1;
      // Who asks while one is stored gets the next.
      reserve().catch((error: unknown) => log.debug({ err: error }, 'a promised stamp was not stored'));
      return renderStamp({ epoch: own, count });
    },
    failed,
    forget: () => {
      known = undefined;
      own = undefined;
    },
    judge: (text) => {
      const stamp = parseStamp(text);
      if (stamp === undefined) return 'unknown';
      return known !== undefined && includes(known, stamp) ? 'here' : 'elsewhere';
    },
    timesSetBack: () => timesSetBack,
    confirm: async (text, before) => {
      const stamp = parseStamp(text);
      const found = await look();
      if (timesSetBack !== before || stamp === undefined || found === undefined) return false;
      return includes(found, stamp);
    },
  };
}

/** The line of a cluster in which no mark can be kept: nothing is known of its past. */
export const noLine: Line = {
  reserve: async () => undefined,
  promise: () => undefined,
  judge: () => 'unknown',
  timesSetBack: () => 0,
  confirm: async () => false,
};
