import { type Listed, type ListOptions, selection } from '../list/index.ts';
import { internalError, StatusError } from '../status/status-error.ts';
import type { Entry, Store, StoredEvent } from '../storage/types.ts';
import { type EventTexts, lineOf } from './event-texts.ts';
import { interestIn } from './interest.ts';
import type { BookmarkMetadata, Shape } from './shape.ts';
import type { Sink } from './sink.ts';
import type { Start } from './start.ts';

/** A request for events. */
export interface WatchRequest {
  /** Whose events. */
  readonly listed: Listed;
  /** Revision before which there is no history of these objects. Default: what the store has. */
  readonly since?: number;
  readonly options: ListOptions;
  readonly shape: Shape;
  /** Whether the type is not served any more as it was when the watch began. Default: it always is. */
  readonly isOutdated?: () => boolean;
}

/** Times of a watch, in milliseconds. */
export interface WatchTimes {
  /** After which it ends. */
  readonly timeoutMs: number;
  /** Between two bookmarks. */
  readonly bookmarkMs: number;
  /** Before the timeout, for the last bookmark. */
  readonly lastBookmarkMs: number;
  /** After which a client that takes nothing is given up. */
  readonly stallMs: number;
}

const INITIAL_PIECE_CHARACTERS = 64 * 1024;
const INITIAL_EVENTS_END = { 'k8s.io/initial-events-end': 'true' };

/**
 * One client's watch. It keeps no events of its own: when the client cannot take more, it stops listening, and catches up
 * from the store's history later. A client so slow that the history is gone has to start again.
 */
export class Watch {
  readonly #store: Store;
  readonly #texts: EventTexts;
  readonly #request: WatchRequest;
  readonly #sink: Sink;
  readonly #times: WatchTimes;
  readonly #onEnd: () => void;
  readonly #isWanted: (entry: Entry) => boolean;
  readonly #deadline: number;
  readonly #timers = new Set<NodeJS.Timeout>();

  /** Entries of the starting state that are still to be sent, last one first. */
  #initial: Entry[] = [];
  /** Whether the client is still to be told that the starting state is complete. */
  #owesInitialEnd = false;
  #startRevision = 0;
  /** Everything up to here was sent. */
  #position = 0;
  #isFirst = true;
  #isBlocked = false;
  #isEnded = false;
  #unsubscribe: (() => void) | undefined;
  /** Whether everything from before the subscription has arrived. */
  #isLive = false;

  constructor(
    context: { store: Store; texts: EventTexts; times: WatchTimes; onEnd: () => void },
    request: WatchRequest,
    sink: Sink,
  ) {
    this.#store = context.store;
    this.#texts = context.texts;
    this.#times = context.times;
    this.#onEnd = context.onEnd;
    this.#request = request;
    this.#sink = sink;
    this.#isWanted = wantedBy(request);
    this.#deadline = Date.now() + context.times.timeoutMs;
  }

  begin(start: Start): void {
    this.#sink.start();
    this.#after(this.#times.timeoutMs, () => this.end());
    if (start.kind === 'error') {
      this.#endWith(start.error);
      return;
    }
    this.#position = start.revision;
    this.#startRevision = start.revision;
    const { listed, options } = this.#request;
    if (start.kind === 'state') {
      const state = this.#store.scan(listed.bucket, { namespace: listed.namespace, atRevision: start.revision });
      this.#initial = state.filter(this.#isWanted).reverse();
      this.#owesInitialEnd = options.allowWatchBookmarks;
    }
    if (options.allowWatchBookmarks) this.#scheduleBookmark();
    this.#goOn();
  }

  get isOutdated(): boolean {
    return this.#request.isOutdated?.() ?? false;
  }

  /** Ends the stream; nothing is written afterwards. */
  end(): void {
    if (this.#close()) this.#sink.end();
  }

  /** False when it was closed already. */
  #close(): boolean {
    if (this.#isEnded) return false;
    this.#isEnded = true;
    this.#unsubscribe?.();
    this.#initial = [];
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#onEnd();
    return true;
  }

  #goOn(): void {
    try {
      this.#sendInitial();
      if (this.#isBlocked || this.#isEnded) return;
      this.#subscribe();
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #subscribe(): void {
    const { bucket } = this.#request.listed;
    const unsubscribe = this.#store.watch(bucket, this.#position, (event) => this.#hear(event));
    this.#unsubscribe = unsubscribe;
    // Runs after the store's own turn, which brings what the history has.
    queueMicrotask(() => {
      if (this.#unsubscribe === unsubscribe) this.#isLive = true;
    });
  }

  #sendInitial(): void {
    while (this.#initial.length > 0 && !this.#isBlocked) this.#write(this.#nextInitialPiece());
    if (!this.#owesInitialEnd || this.#isBlocked || this.#isEnded) return;
    this.#owesInitialEnd = false;
    this.#sendBookmark({ resourceVersion: String(this.#startRevision), annotations: INITIAL_EVENTS_END });
  }

  #nextInitialPiece(): string {
    let piece = '';
    while (piece.length < INITIAL_PIECE_CHARACTERS) {
      const entry = this.#initial.pop();
      if (!entry) break;
      piece += lineOf('ADDED', this.#request.shape.object(entry, this.#isFirst));
      this.#isFirst = false;
    }
    return piece;
  }

  #hear(event: StoredEvent): void {
    try {
      this.#position = event.revision;
      const type = interestIn(event, this.#isWanted);
      if (!type) return;
      const bytes = this.#texts.of(event, type, this.#request.shape, this.#isFirst);
      this.#isFirst = false;
      this.#write(bytes);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #write(piece: string | Uint8Array): void {
    if (this.#sink.write(piece) || this.#isEnded) return;
    this.#isBlocked = true;
    this.#isLive = false;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    const stalled = this.#after(this.#times.stallMs, () => {
      if (this.#close()) this.#sink.abandon();
    });
    this.#sink.onDrain(() => {
      this.#cancel(stalled);
      if (this.#isEnded) return;
      this.#isBlocked = false;
      this.#goOn();
    });
  }

  #scheduleBookmark(): void {
    const untilLast = this.#deadline - this.#times.lastBookmarkMs - Date.now();
    if (untilLast < 0) return;
    this.#after(Math.min(this.#times.bookmarkMs, untilLast), () => {
      this.#sendDueBookmark();
      if (this.#deadline - this.#times.lastBookmarkMs > Date.now()) this.#scheduleBookmark();
    });
  }

  /** A client that has not got everything up to now must not be told so, and one that started here knows. */
  #sendDueBookmark(): void {
    const { durableRevision } = this.#store;
    if (!this.#isLive || durableRevision <= this.#startRevision) return;
    try {
      this.#position = Math.max(this.#position, durableRevision);
      this.#sendBookmark({ resourceVersion: String(durableRevision) });
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #sendBookmark(metadata: BookmarkMetadata): void {
    const object = this.#request.shape.bookmark(metadata, this.#isFirst);
    this.#isFirst = false;
    this.#write(lineOf('BOOKMARK', object));
  }

  #giveUp(error: unknown): void {
    // History went away while the client was slow: the stream just ends, and the client hears of it when it comes back.
    if (error instanceof StatusError && error.code === 410) this.end();
    else this.#endWith(error instanceof StatusError ? error : internalError(String(error)));
  }

  #endWith(error: StatusError): void {
    if (this.#isEnded) return;
    this.#sink.write(lineOf('ERROR', JSON.stringify(error.toStatus())));
    this.end();
  }

  #after(milliseconds: number, action: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, milliseconds);
    this.#timers.add(timer);
    return timer;
  }

  #cancel(timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#timers.delete(timer);
  }
}

function wantedBy({ listed, options }: WatchRequest): (entry: Entry) => boolean {
  const isSelected = selection(options);
  if (listed.namespace === undefined) return isSelected;
  const prefix = `${listed.namespace}/`;
  return (entry) => entry.key.startsWith(prefix) && isSelected(entry);
}
