/** The things that came last, at most so many; each is told when newer ones take its place. */
export interface Fresh<T> {
  readonly size: number;
  add(thing: T, isOld: () => void): void;
  /** The thing is of no more use, and need not be told. */
  delete(thing: T): void;
}

export function createFresh<T>(most: number): Fresh<T> {
  const things = new Map<T, () => void>();
  return {
    get size() {
      return things.size;
    },
    add: (thing, isOld) => {
      things.set(thing, isOld);
      const [oldest] = things.size > most ? things : [];
      if (oldest === undefined) return;
      things.delete(oldest[0]);
      oldest[1]();
    },
    delete: (thing) => void things.delete(thing),
  };
}
