import type { CustomResourceDefinition } from '@klutch/api';
import type { Clock } from '@klutch/kube';

/**
 * Says when watches of an API have to begin anew. A watch that was begun before its CRD changed goes on with the old
 * schema: new fields are missing in what it delivers, and since the objects' versions are current, nothing ever brings
 * them. API servers take a moment to serve a new schema, each its own, so watches are renewed soon and once more later.
 */
export interface WatchRenewal {
  /** A text that changes when watches have to begin anew, and milliseconds until it may change next. */
  of(name: string, crd: CustomResourceDefinition): { readonly token: string; readonly nextMs: number | undefined };
  forget(name: string): void;
}

export function createWatchRenewal(clock: Pick<Clock, 'now'>): WatchRenewal {
  const known = new Map<string, { uid: string; generation: number; token: string; due: number[] }>();
  return {
    of: (name, { metadata: { uid = '', generation = 0 } }) => {
      const now = clock.now();
      const state = known.get(name) ?? { uid, generation, token: `${uid}/${generation}`, due: [] };
      known.set(name, state);
      if (state.uid === uid && state.generation !== generation) {
        state.due = renewedAfterMs.map((ms) => now + ms);
      }
      // Watches of a CRD that was deleted have ended with it.
      state.uid = uid;
      state.generation = generation;
      for (let next = state.due[0]; next !== undefined && next <= now; next = state.due[0]) {
        state.due.shift();
        state.token = `${uid}/${generation}/${state.due.length}`;
      }
      return { token: state.token, nextMs: state.due[0] === undefined ? undefined : state.due[0] - now };
    },
    forget: (name) => void known.delete(name),
  };
}

const renewedAfterMs = [2_000, 30_000];
