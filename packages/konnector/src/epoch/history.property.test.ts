import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advanced, goOn, includes } from './decide.ts';
import type { Mark, Stamp } from './mark.ts';

/** Everything that a cluster stores, and what only the test knows of it. */
interface State {
  readonly mark: Mark | undefined;
  readonly originals: ReadonlySet<string>;
  /** Originals that a user deleted in the history that led here. */
  readonly deleted: ReadonlySet<string>;
  /** Stamps that were taken in the history that led here, since its mark was last lost. */
  readonly taken: ReadonlySet<string>;
}

interface Copy {
  readonly of: string;
  readonly stamp: Stamp;
}

/** A konnector process that leads for one cluster. */
interface Process {
  known: Mark | undefined;
  own: string | undefined;
  /** Originals as its watch has shown them; after a restore it shows what is gone until it lists again. */
  cache: ReadonlySet<string>;
  /** Stamps it was given and has not used yet. */
  readonly given: Copy[];
  /** Originals that it found missing when it asked, with what was true then. */
  readonly missed: { readonly of: string; readonly wasDeleted: boolean }[];
}

const key = ({ epoch, count }: Stamp) => `${epoch}:${count}`;
const empty: State = { mark: undefined, originals: new Set(), deleted: new Set(), taken: new Set() };

/** Cluster 0, and cluster 1 as a twin of it once a backup was restored there; both have copies in the same place. */
class World {
  readonly clusters: State[] = [empty, empty];
  readonly processes: (Process | undefined)[] = [undefined, undefined];
  readonly backups: State[] = [];
  copies: Copy[] = [];
  copyBackup: Copy[] = [];
  #names = 0;
  #epochs = 0;

  change(at: number, change: Partial<State>): void {
    this.clusters[at] = { ...this.state(at), ...change };
  }

  state(at: number): State {
    return this.clusters[at] ?? empty;
  }

  start(at: number): void {
    this.processes[at] = { known: undefined, own: undefined, cache: this.state(at).originals, given: [], missed: [] };
    this.write(at, false, true);
  }

  /** One compare-and-swap of the mark; true when it was acknowledged and the cluster had not gone back. */
  write(at: number, takes: boolean, isAnswered: boolean): boolean {
    const process = this.processes[at];
    if (process === undefined) return false;
    const { mark: found, taken } = this.state(at);
    const { mark, isSetBack } = goOn(process.known, process.own, found, `epoch-${this.#epochs++}`);
    const next = takes ? advanced(mark) : mark;
    this.change(at, { mark: next, taken: takes ? new Set([...taken, key(next)]) : taken });
    if (!isAnswered) {
      process.own = undefined;
      return false;
    }
    process.known = next;
    process.own = next.epoch;
    if (!isSetBack) return true;
    this.relist(at);
    // What was found missing before is no evidence in the history after.
    process.missed.length = 0;
    return false;
  }

  relist(at: number): void {
    const process = this.processes[at];
    if (process) process.cache = this.state(at).originals;
  }

  restore(at: number, pick: number): void {
    const backup = at_(this.backups, pick);
    const process = this.processes[at];
    if (backup === undefined) return;
    // No cluster is restored twice between two requests of a process.
    if (process && !this.isCurrent(at)) process.missed.length = 0;
    this.clusters[at] = backup;
  }

  /** Whether the cluster is in a state that came of the one that its process knows. */
  isCurrent(at: number): boolean {
    const { mark } = this.state(at);
    const known = this.processes[at]?.known;
    return mark !== undefined && known !== undefined && includes(mark, known);
  }

  create(at: number): void {
    const { originals } = this.state(at);
    this.change(at, { originals: new Set([...originals, `o${this.#names++}`]) });
  }

  remove(at: number, pick: number): void {
    const { originals, deleted } = this.state(at);
    const name = at_(originals, pick);
    if (name === undefined) return;
    this.change(at, {
      originals: new Set([...originals].filter((one) => one !== name)),
      deleted: new Set([...deleted, name]),
    });
  }

  reserve(at: number, pick: number, isAnswered: boolean): void {
    const process = this.processes[at];
    const name = process && at_(process.cache, pick);
    if (process === undefined || name === undefined || this.copies.some(({ of }) => of === name)) return;
    // A stamp that finds the cluster set back is given to nobody, and one for an original that is gone is not used.
    const isGiven = this.write(at, true, isAnswered) && this.state(at).originals.has(name);
    if (isGiven && process.known) process.given.push({ of: name, stamp: process.known });
  }

  /** Copies an original that has just answered, with a stamp that is sent at the same time. */
  promise(at: number, pick: number, fate: 'stored' | 'without answer' | 'lost'): void {
    const process = this.processes[at];
    const name = at_(this.state(at).originals, pick);
    if (!process?.own || process.known?.epoch !== process.own) return;
    if (name === undefined || this.copies.some(({ of }) => of === name)) return;
    const { epoch, count } = process.known;
    this.copies.push({ of: name, stamp: { epoch, count: count + 1 } });
    if (fate === 'lost') process.own = undefined;
    else this.write(at, true, fate === 'stored');
  }

  copy(at: number): void {
    const next = this.processes[at]?.given.shift();
    if (next && !this.copies.some(({ of }) => of === next.of)) this.copies.push(next);
  }

  /** Asks for the original of a copy. */
  look(at: number, pick: number): void {
    const process = this.processes[at];
    const copy = at_(this.copies, pick);
    const { originals, deleted } = this.state(at);
    if (process === undefined || copy === undefined || originals.has(copy.of)) return;
    process.missed.push({ of: copy.of, wasDeleted: deleted.has(copy.of) });
  }

  /** Asks for the mark, and deletes a copy whose original was found missing before. */
  judge(at: number): void {
    const process = this.processes[at];
    const missed = process?.missed.shift();
    const copy = this.copies.find(({ of }) => of === missed?.of);
    const { mark } = this.state(at);
    if (missed === undefined || copy === undefined || mark === undefined) return;
    if (!this.isCurrent(at) || !includes(mark, copy.stamp)) return;
    expect(missed.wasDeleted, `${copy.of} was lost, not deleted`).toBe(true);
    this.copies = this.copies.filter((one) => one !== copy);
  }
}

function at_<T>(from: Iterable<T>, pick: number): T | undefined {
  const all = [...from];
  return all[pick % Math.max(1, all.length)];
}

/** An action that tells its name when a history fails. */
function named(name: string, act: (world: World) => void) {
  return Object.assign(act, { [fc.toStringMethod]: () => name });
}

const side = fc.constantFrom(0, 0, 0, 0, 0, 1);
const pick = fc.nat(7);
const ofSide = (weight: number, name: string, act: (world: World, at: number) => void) => ({
  weight,
  arbitrary: side.map((at) => named(`${name}(${at})`, (world) => act(world, at))),
});
const ofObject = (weight: number, name: string, act: (world: World, at: number, one: number) => void) => ({
  weight,
  arbitrary: fc.tuple(side, pick).map(([at, one]) => named(`${name}(${at}, ${one})`, (world) => act(world, at, one))),
});
const action = fc.oneof(
  ofSide(3, 'create', (world, at) => world.create(at)),
  ofObject(2, 'remove', (world, at, one) => world.remove(at, one)),
  ofSide(2, 'start', (world, at) => world.start(at)),
  ofObject(4, 'reserve', (world, at, one) => world.reserve(at, one, true)),
  ofObject(1, 'reserve without answer', (world, at, one) => world.reserve(at, one, false)),
  ofObject(4, 'promise', (world, at, one) => world.promise(at, one, 'stored')),
  ofObject(1, 'promise without answer', (world, at, one) => world.promise(at, one, 'without answer')),
  ofObject(2, 'promise that is lost', (world, at, one) => world.promise(at, one, 'lost')),
  ofSide(4, 'copy', (world, at) => world.copy(at)),
  ofSide(2, 'relist', (world, at) => world.relist(at)),
  ofSide(2, 'renew', (world, at) => void world.write(at, false, true)),
  ofObject(4, 'look', (world, at, one) => world.look(at, one)),
  ofSide(4, 'judge', (world, at) => world.judge(at)),
  ofSide(2, 'backup', (world, at) => void world.backups.push(world.state(at))),
  ofObject(2, 'restore', (world, at, one) => world.restore(at, one)),
  ofSide(1, 'lose the mark', (world, at) => world.change(at, { mark: undefined, taken: new Set() })),
  { weight: 1, arbitrary: fc.constant(named('backup of copies', (world) => void (world.copyBackup = world.copies))) },
  { weight: 1, arbitrary: fc.constant(named('restore of copies', (world) => void (world.copies = world.copyBackup))) },
);

describe('whatever happens to two clusters, their backups and their konnectors', () => {
  it('no copy goes whose original was not deleted by a user, and every stamp is judged by the history it is of', () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 30, maxLength: 80, size: 'max' }), (actions) => {
        const world = new World();
        for (const act of actions) act(world);
        for (const { mark, taken } of world.clusters) {
          for (const { stamp } of world.copies) {
            expect(mark !== undefined && includes(mark, stamp)).toBe(taken.has(key(stamp)));
          }
        }
      }),
      { numRuns: 10_000 },
    );
  }, 120_000);
});
