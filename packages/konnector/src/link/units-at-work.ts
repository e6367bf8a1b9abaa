import type { Parts } from './parts.ts';

/** Knows which bindings have a unit that touches their objects. */
export interface UnitsAtWork {
  /** The same parts; each unit they start is known until nothing of it is left. */
  known(parts: Parts): Parts;
  /** Resolves when no unit touches the objects of the binding with that UID. */
  ended(binding: string): Promise<void>;
}

export function createUnitsAtWork(): UnitsAtWork {
  const units = new Set<{ readonly binding: string; readonly stopped: Promise<unknown> }>();
  return {
    known: (parts) => ({
      ...parts,
      runInstances: (options) => {
        const unit = parts.runInstances(options);
        const entry = { binding: options.api.binding.uid, stopped: Promise.allSettled([unit.stopped]) };
        units.add(entry);
        void entry.stopped.then(() => units.delete(entry));
        return unit;
      },
    }),
    ended: async (binding) => {
      await Promise.all([...units].filter((unit) => unit.binding === binding).map(({ stopped }) => stopped));
    },
  };
}
