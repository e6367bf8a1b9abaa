import { backoffDelay, type Clock, type Logger, pause, type Scope, scope } from '@klutch/kube';
import type { Unit } from './parts.ts';
import { changeOf } from './supervise.ts';

/** A place where a unit runs, or not, as it is told. */
export interface UnitKeeper<T> {
  /** The settings with which it has to run; undefined: it must not. */
  set(settings: T | undefined): void;
  /** Whether the unit has, or may have, objects in that namespace of the control plane. */
  mayUse(serviceNamespace: string): boolean;
  /** Resolves when nothing of the unit is left, because it must not run or the signal aborted. */
  readonly stopped: Promise<void>;
}

export interface UnitKeeperOptions<T> {
  readonly start: (settings: T, signal: AbortSignal) => Unit<T>;
  /** Whether the change is one that a running unit cannot follow. */
  readonly needsRestart: (before: T, wanted: T) => boolean;
  /** Told when it ended although nobody asked it to; it is started again after a while. */
  readonly failed?: (settings: T) => void;
  /** Told when nothing of the unit is left and it must not run: the keeper is of no more use. */
  readonly isOver?: () => void;
  /** Whether it must be assumed to use every namespace until it has seen its objects. */
  readonly mayUseUnseen: boolean;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Keeps a unit running with the settings it is given: never two at a time, and again when it ends by itself. */
export function keepUnit<T>(options: UnitKeeperOptions<T>): UnitKeeper<T> {
  const { start, needsRestart, failed, isOver, mayUseUnseen, clock, log, signal } = options;
  let wanted: T | undefined;
  let running: Promise<void> | undefined;
  let current: { readonly unit: Unit<T>; settings: T; readonly life: Scope; isReady: boolean } | undefined;

  return {
    set: (settings) => {
      wanted = settings;
      follow();
      if (wanted !== undefined) running ??= Promise.resolve().then(run);
    },
    mayUse: (serviceNamespace) => {
      if (current?.isReady) return current.unit.stillUses(serviceNamespace);
      return mayUseUnseen && (current !== undefined || wanted !== undefined);
    },
    get stopped() {
      return running ?? Promise.resolve();
    },
  };

  /** Brings a running unit to what is wanted. */
  function follow(): void {
    if (!current) return;
    const change = changeOf(current.settings, wanted, needsRestart);
    if (change === 'stop' || change === 'restart') current.life.end();
    if (change !== 'update' || wanted === undefined) return;
    current.settings = wanted;
    current.unit.update(wanted);
  }

  async function run(): Promise<void> {
    let failures = 0;
    for (let settings = wanted; !signal.aborted && settings !== undefined; settings = wanted) {
      const began = clock.now();
      const hasFailed = await runOnce(settings);
      if (!hasFailed) continue;
      if (wanted !== undefined) failed?.(wanted);
      failures = clock.now() - began > lastingMs ? 1 : failures + 1;
      await pause(clock, backoffDelay(failures, { baseMs: 500, capMs: 60_000 }, Math.random), signal);
    }
    running = undefined;
    if (!signal.aborted) isOver?.();
  }

  /** True when the unit ended although nobody asked it to. */
  async function runOnce(settings: T): Promise<boolean> {
    const life = scope(signal);
    try {
      const unit = start(settings, life.signal);
      const own = { unit, settings, life, isReady: false };
      current = own;
      unit.ready.then(
        () => {
          own.isReady = true;
        },
        () => {},
      );
      await unit.stopped;
      if (!life.isOver) log.error({}, 'unit ended by itself, will be started again');
    } catch (error) {
      log.error({ err: error }, 'unit failed, will be started again');
    } finally {
      current = undefined;
    }
    const wasAsked = life.isOver;
    life.end();
    return !wasAsked;
  }
}

/** A unit that ran this long worked; what ended it is a new failure. */
const lastingMs = 60_000;
