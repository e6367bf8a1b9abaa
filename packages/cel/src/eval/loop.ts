import { attempt, EvalError, noSuchOverload } from '../values/eval-error.ts';
import { ListValue, PlainList } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { typeNameOfValue } from '../values/show.ts';
import type { CelValue } from '../values/value.ts';
import { countStep, type Eval, type Frame } from './frame.ts';
import { truth } from './logic.ts';

/** Where a loop keeps its variables. */
export interface LoopSlots {
  readonly accumulator: number;
  readonly first: number;
  /** Undefined for loops with one variable. */
  readonly second: number | undefined;
}

/** `all` (decided by false) and `exists` (decided by true). */
export function quantify(range: Eval, slots: LoopSlots, predicate: Eval, decisive: boolean): Eval {
  return (frame) => {
    let failure: EvalError | undefined;
    for (const _ of steps(range(frame), slots, frame)) {
      const verdict = truth(predicate, frame);
      if (verdict === decisive) return decisive;
      if (verdict instanceof EvalError) failure ??= verdict;
    }
    if (failure) throw failure;
    return !decisive;
  };
}

/** `map` and `filter`: a list of what the elements become. */
export function collect(range: Eval, slots: LoopSlots, filter: Eval | undefined, transform: Eval): Eval {
  return (frame) => {
    const collected: CelValue[] = [];
    for (const _ of steps(range(frame), slots, frame)) {
      const isWanted = filter ? filter(frame) : true;
      if (typeof isWanted !== 'boolean') throw noSuchOverload();
      if (isWanted) collected.push(transform(frame));
    }
    return new PlainList(collected);
  };
}

/** The parts of a loop of any other kind. */
export interface LoopParts {
  readonly range: Eval;
  readonly init: Eval;
  readonly condition: Eval;
  readonly step: Eval;
  readonly result: Eval;
}

export function loop({ range, init, condition, step, result }: LoopParts, slots: LoopSlots): Eval {
  return (frame) => {
    const over = range(frame);
    frame[slots.accumulator] = attempt(() => init(frame));
    for (const _ of steps(over, slots, frame)) {
      if (truth(condition, frame) !== true) break;
      frame[slots.accumulator] = attempt(() => step(frame));
    }
    return result(frame);
  };
}

/** A name for a value within an expression. */
export function bind(slot: number, value: Eval, result: Eval): Eval {
  return (frame) => {
    frame[slot] = attempt(() => value(frame));
    return result(frame);
  };
}

/** Puts one element after the other into the variables of a loop. */
function* steps(over: CelValue, slots: LoopSlots, frame: Frame): Iterable<void> {
  if (over instanceof ListValue) {
    for (let at = 0; at < over.size; at++) {
      frame[slots.second ?? slots.first] = attempt(() => over.at(at));
      if (slots.second !== undefined) frame[slots.first] = BigInt(at);
      countStep(frame);
      yield;
    }
  } else if (over instanceof MapValue) {
    for (const key of over.keys()) {
      frame[slots.first] = key;
      if (slots.second !== undefined) frame[slots.second] = attempt(() => over.get(key));
      countStep(frame);
      yield;
    }
  } else {
    throw new EvalError(`got '${goType(over)}', expected iterable type`);
  }
}

/** The name that Kubernetes' implementation has for the type of a value. */
function goType(value: CelValue): string {
  const name = typeNameOfValue(value).split('.').at(-1) ?? '';
  return `types.${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
