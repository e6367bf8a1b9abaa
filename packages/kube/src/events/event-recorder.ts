import { type Logger, silentLogger } from '../log/logger.ts';
import { type CoreEvent, Events } from '../objects/core.ts';
import type { KubeObject } from '../objects/meta.ts';
import { backoffDelay } from '../backoff/backoff.ts';
import { type Clock, pause, systemClock } from '../clock/clock.ts';
import type { KubeClient } from '../resources/types.ts';
import { onAbort } from '../scope/on-abort.ts';
import { scope } from '../scope/scope.ts';
import { type EventNote, composeEvent, identityOf, subjectOf } from './compose-event.ts';
import { createEventWriter } from './event-writer.ts';
import type { EventMetrics } from './metrics.ts';
import { type SpamFilterOptions, createSpamFilter } from './spam-filter.ts';
import { isNamespaceTerminating, isPassingFailure } from './write-failure.ts';

export interface EventRecorderOptions {
  readonly client: KubeClient;
  /** Who reports, such as `klutch-konnector`; a qualified name. */
  readonly component: string;
  /** The process among several of the component, such as the name of its pod. */
  readonly instance?: string;
  /** Ends the recorder: what is pending is tried once more, for at most `drainMs`. */
  readonly signal: AbortSignal;
  /** Default 2 s. */
  readonly drainMs?: number;
  /** Events that may wait to be written; more are dropped. Default 1000. */
  readonly maxPending?: number;
  /** Milliseconds within which the same event again counts as one that happened more often. Default 10 minutes. */
  readonly windowMs?: number;
  readonly spam?: SpamFilterOptions;
  readonly clock?: Clock;
  /** Source of jitter in [0, 1). */
  readonly random?: () => number;
  readonly log?: Logger;
  readonly metrics?: EventMetrics;
}

export interface EventRecorder {
  /** Reports what happened to an object. Returns at once and never throws; the Event is written in the background. */
  event(object: KubeObject, note: EventNote): void;
  /** Resolves when everything reported so far has been written or given up. */
  flush(): Promise<void>;
  /** Resolves when the recorder has ended. */
  readonly stopped: Promise<void>;
}

/** Starts a recorder. Events about cluster-scoped objects go to the namespace `default`. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { client, signal, drainMs = 2_000, maxPending = 1_000, windowMs = 600_000, metrics } = options;
  const { clock = systemClock, random = Math.random, log = silentLogger } = options;
  const acceptable = createSpamFilter(options.spam);
  const write = createEventWriter({ events: client.resource(Events), clock, windowMs });
  const pending = new Map<string, Pending>();
  const flushed: (() => void)[] = [];
  const giveUp = scope();
  let wake: () => void = () => {};
  let reported = 0;
  let isOver = false;

  return {
    event: (object, note) => {
      try {
        accept(composeEvent(object, note, options, clock.date(), reported++));
      } catch (error) {
        drop(error, { kind: object?.kind, name: object?.metadata?.name, reason: note?.reason });
      }
    },
    flush: () =>
      new Promise((resolve) => {
        if (isOver) return resolve();
        flushed.push(resolve);
        wake();
      }),
    stopped: run(),
  };

  function accept(event: CoreEvent): void {
    if (event.involvedObject.name === '') throw new Error('the object of an event has no name');
    if (isOver) throw new Error('the event recorder has ended');
    if (!acceptable(subjectOf(event), clock.now())) return metrics?.eventRecorded('filtered');
    const identity = identityOf(event);
    const waiting = pending.get(identity);
    if (waiting === undefined && pending.size >= maxPending) throw new Error('too many events wait to be written');
    pending.set(identity, waiting ? { ...waiting, event: together(waiting.event, event) } : { event, tries: 0 });
    wake();
  }

  async function run(): Promise<void> {
    let cancelDrain: (() => void) | undefined;
    const onStop = () => {
      cancelDrain = clock.after(drainMs, () => giveUp.end());
      wake();
    };
    const leave = onAbort(signal, onStop);
    await writeAll();
    leave();
    cancelDrain?.();
    isOver = true;
    for (const { event } of pending.values()) dropEvent(new Error('the event recorder was stopped'), event);
    announceFlushed();
  }

  async function writeAll(): Promise<void> {
    let failures = 0;
    while (!giveUp.isOver) {
      const [next] = pending;
      if (next === undefined) {
        announceFlushed();
        if (signal.aborted) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const [identity, entry] = next;
      pending.delete(identity);
      const mayRetry = await tryToWrite(entry);
      failures = mayRetry ? failures + 1 : 0;
      if (!mayRetry) continue;
      // To the end of the line: an Event that cannot be written must not hold up the others for long.
      const again = pending.get(identity);
      const event = again ? together(entry.event, again.event) : entry.event;
      pending.set(identity, { event, tries: entry.tries + 1 });
      await pause(clock, backoffDelay(failures, { baseMs: 500, capMs: 10_000 }, random), signal);
    }
  }

  /** True when it failed and is worth another try. */
  async function tryToWrite({ event, tries }: Pending): Promise<boolean> {
    try {
      const outcome = await write(event, giveUp.signal);
      metrics?.eventRecorded(outcome);
      return false;
    } catch (error) {
      if (isPassingFailure(error) && tries + 1 < maxTries && !signal.aborted) return true;
      dropEvent(error, event);
      return false;
    }
  }

  function dropEvent(error: unknown, { type, reason, involvedObject: { kind, namespace, name } }: CoreEvent): void {
    drop(error, { type, reason, kind, namespace, name });
  }

  function drop(error: unknown, fields: object): void {
    metrics?.eventRecorded('dropped');
    log[isNamespaceTerminating(error) ? 'debug' : 'warn']({ ...fields, err: error }, 'event dropped');
  }

  function announceFlushed(): void {
    for (const resolve of flushed.splice(0)) resolve();
  }
}

interface Pending {
  /** The Event to create, with the count of all occurrences that wait. */
  readonly event: CoreEvent;
  /** Tries so far. */
  readonly tries: number;
}

const maxTries = 12;

/** One Event for two occurrences of the same. */
function together(earlier: CoreEvent, later: CoreEvent): CoreEvent {
  return { ...earlier, count: (earlier.count ?? 1) + (later.count ?? 1), lastTimestamp: later.lastTimestamp };
}
