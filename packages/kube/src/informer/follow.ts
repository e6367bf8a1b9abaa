import { pause, systemClock } from '../clock/clock.ts';
import { isKubeError, KubeError } from '../errors/kube-error.ts';
import type { KubeObject } from '../objects/meta.ts';
import type { ResourceClient, WatchEvent } from '../resources/types.ts';
import { type Backoff, backoffDelay } from '../backoff/backoff.ts';
import { afterFailure } from './after-failure.ts';
import { compareVersions } from './change.ts';
import { listAll } from './list-all.ts';
import { createRounds, type Rounds } from '../rounds/rounds.ts';
import type { Replacing } from './replacing.ts';
import { type Selection, selectionOf } from './selection.ts';

export interface FollowOptions<T extends KubeObject> extends Selection {
  readonly client: ResourceClient<T>;
  /** Objects per page of a list. Default 500. */
  readonly pageSize?: number;
  /**
   * How the state is fetched: `pages` lists, `stream` asks for it as watch events where the server offers that and lists
   * elsewhere. Default `pages`: measured faster for the client; `stream` spares the server memory on very large sets.
   */
  readonly initialState?: 'pages' | 'stream';
  /** Milliseconds without a byte after which a watch counts as dead. Default 120 s: two bookmark intervals. */
  readonly inactivityMs?: number;
  /** Waits between failures. Default: 200 ms, doubling to 30 s, half of it chance. */
  readonly backoff?: Backoff;
  /** Source of jitter in [0, 1). */
  readonly random?: () => number;
}

/** Receives what {@link follow} learns, in order. Its methods must not throw. */
export interface Follower<T extends KubeObject> {
  /** The complete state is about to be told. */
  replacing(): Replacing<T>;
  changed(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void;
  /** The server is being followed (undefined), or that is being retried because of an error. */
  health(error: KubeError | undefined): void;
}

/**
 * Keeps `follower` informed of every object of the selection until the signal aborts: lists, watches, resumes where a
 * watch broke off, and lists again when resuming is impossible. Never gives up and never throws. A server that came back
 * from a backup may accept a version of its future and tell nothing: who knows of that asks for another round of `lists`.
 */
export async function follow<T extends KubeObject>(
  options: FollowOptions<T>,
  follower: Follower<T>,
  signal: AbortSignal,
  lists: Rounds = createRounds(),
): Promise<void> {
  const backOff = createBackOff(options);
  const position: Position = { version: undefined, canStream: options.initialState === 'stream', isOpen: false };
  const fetched = () => lists.done();
  while (!signal.aborted) {
    const { round, isWanted } = lists.begin(signal);
    if (isWanted) position.version = undefined;
    try {
      await advance(options, { ...follower, fetched }, position, backOff, round.signal);
    } catch (error) {
      if (signal.aborted) return;
      if (round.isOver) continue;
      const failure = isKubeError(error) ? error : unexpected(error, options.client.type.plural);
      recover(failure, position);
      follower.health(failure);
      await pause(systemClock, backOff.next(), signal);
    }
  }
}

/** A follower that also wants to know when it has been told the whole state. */
type Following<T extends KubeObject> = Follower<T> & { fetched(): void };

function unexpected(cause: unknown, plural: string): KubeError {
  return new KubeError('KUBE_REQUEST_FAILED', `Cannot follow ${plural}: an unexpected error, see its cause.`, {
    object: plural,
    cause,
  });
}

/** Counts failures in a row. */
interface BackOff {
  /** Milliseconds to wait after one more failure. */
  next(): number;
  reset(): void;
}

function createBackOff({
  backoff,
  random = Math.random,
}: Pick<FollowOptions<KubeObject>, 'backoff' | 'random'>): BackOff {
  const growth = { baseMs: 200, capMs: 30_000, jitter: 0.5, ...backoff };
  let failures = 0;
  return {
    next: () => backoffDelay(++failures, growth, random),
    reset: () => {
      failures = 0;
    },
  };
}

interface Position {
  /** Version up to which everything was delivered; undefined when the state must be fetched anew. */
  version: string | undefined;
  /** Whether the server is believed to offer streaming lists. */
  canStream: boolean;
  /** The server has accepted the watch of this round. */
  isOpen: boolean;
}

function recover(error: KubeError, position: Position): void {
  const fetching = position.version === undefined;
  if (fetching && position.canStream && isKubeError(error, 'KUBE_INVALID')) position.canStream = false;
  if (afterFailure(error, position.isOpen ? 'watch' : 'request') === 'list') position.version = undefined;
}

/** A watch that ran this long worked, even if nothing happened; what ends it is a new failure, not one more in a row. */
const lastingMs = 10_000;

/** One list or one watch, whichever is due. */
async function advance<T extends KubeObject>(
  options: FollowOptions<T>,
  follower: Following<T>,
  position: Position,
  backOff: BackOff,
  signal: AbortSignal,
): Promise<void> {
  position.isOpen = false;
  if (position.version === undefined && !position.canStream) await fetchState(options, follower, position, signal);
  const began = systemClock.now();
  const lasted = () => systemClock.now() - began;
  // Spread over five to ten minutes, so that the watches of one process do not all end together.
  const timeoutSeconds = Math.round(300 * (1 + (options.random ?? Math.random)()));
  let gotOn: boolean;
  try {
    gotOn = await watch(options, follower, position, backOff, timeoutSeconds, signal);
  } finally {
    if (position.version !== undefined && lasted() >= lastingMs) backOff.reset();
  }
  // A server that closes watches as soon as they are opened must not be asked in a tight loop.
  if (!gotOn && lasted() < 1000) await pause(systemClock, backOff.next(), signal);
}

async function fetchState<T extends KubeObject>(
  options: FollowOptions<T>,
  follower: Following<T>,
  position: Position,
  signal: AbortSignal,
): Promise<void> {
  const { state, version } = await listAll(options, () => follower.replacing(), signal);
  state.done(version);
  follower.fetched();
  position.version = version;
}

/** Delivers one watch; true when it brought something new. */
async function watch<T extends KubeObject>(
  options: FollowOptions<T>,
  follower: Following<T>,
  position: Position,
  backOff: BackOff,
  timeoutSeconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  let gotOn = false;
  const onOpen = () => {
    position.isOpen = true;
    if (position.version !== undefined) follower.health(undefined);
  };
  let initial = position.version === undefined ? follower.replacing() : undefined;
  for await (const event of openWatch(options, position, onOpen, timeoutSeconds, signal)) {
    if (initial) {
      if (collect(initial, event)) continue;
      initial.done(versionOf(event));
      follower.fetched();
      initial = undefined;
      follower.health(undefined);
    }
    // Versions only grow within a watch: whatever is not newer was delivered before.
    const version = versionOf(event);
    if (isOld(version, position.version)) continue;
    if (event.type !== 'BOOKMARK') follower.changed(event.type, event.object);
    position.version = version ?? position.version;
    gotOn = true;
    backOff.reset();
  }
  if (initial) throw new KubeError('KUBE_UNREACHABLE', 'The watch ended before it had told the whole state.');
  return gotOn;
}

function openWatch<T extends KubeObject>(
  options: FollowOptions<T>,
  position: Position,
  onOpen: () => void,
  timeoutSeconds: number,
  signal: AbortSignal,
): AsyncIterable<WatchEvent<T>> {
  const streaming = position.version === undefined;
  return options.client.watch({
    ...selectionOf(options),
    allowBookmarks: true,
    inactivityMs: options.inactivityMs,
    onOpen,
    timeoutSeconds,
    ...(streaming
      ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' as const }
      : { resourceVersion: position.version }),
    signal,
  });
}

/** Takes an event of the initial state; false when it was the bookmark that ends it. */
function collect<T extends KubeObject>(initial: Replacing<T>, event: WatchEvent<T>): boolean {
  if (event.type === 'BOOKMARK') return !event.initialEventsEnd;
  if (event.type === 'DELETED') initial.delete(event.object);
  else initial.put(event.object);
  return true;
}

function versionOf<T extends KubeObject>(event: WatchEvent<T>): string | undefined {
  const version = event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.resourceVersion;
  return version || undefined;
}

function isOld(version: string | undefined, delivered: string | undefined): boolean {
  if (version === undefined || delivered === undefined) return false;
  const order = compareVersions(version, delivered);
  return order === 'same' || order === 'older';
}
