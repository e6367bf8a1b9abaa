import { apiVersionOf, scope } from '@klutch/kube';
import type { BindingBoard } from '../bindings/binding-board.ts';
import type { Link, Running } from '../link/link.ts';
import type { NamespaceMap } from '../namespaces/namespace-map.ts';
import type { BoundApi } from './bound-api.ts';
import { createMemory } from './memory.ts';
import type { MetadataRules } from './metadata-rules.ts';
import { type Session, startSession } from './session.ts';

export interface InstancesOptions {
  readonly link: Link;
  readonly api: BoundApi;
  readonly namespaces: NamespaceMap;
  readonly board: BindingBoard;
  readonly metadata: MetadataRules;
  readonly signal: AbortSignal;
}

export interface Instances extends Running {
  /**
   * The API has changed. Policies take effect at once; for another version, scope or isolation the watches are set up
   * anew. Keep it running while its CRD is deleted and comes back: it then restores the originals from their copies.
   */
  update(api: BoundApi): void;
  /** Whether objects of the API are, or may be, in this namespace of the control plane. */
  stillUses(serviceNamespace: string): boolean;
}

/**
 * Synchronises the objects of one bound API: spec and metadata up, status down, deletion in two phases, adoption of what
 * the provider makes. Nothing is deleted on the control plane without evidence that its original was.
 */
export function runInstances(options: InstancesOptions): Instances {
  const { signal } = options;
  const memory = createMemory();
  let { api } = options;
  let current = begin();
  const ready = current.session.ready;
  ready.catch(() => {});

  /** A session of its own life within ours. */
  function begin(): { readonly session: Session; readonly end: () => void } {
    const life = scope(signal);
    const session = startSession({ ...options, api: () => api, memory, signal: life.signal });
    session.ready.catch(() => {});
    const end = () => life.end();
    session.stopped.then(end, end);
    return { session, end };
  }

  let changing: Promise<void> = Promise.resolve();

  async function restart(): Promise<void> {
    const before = current;
    before.end();
    await before.session.stopped;
    if (!signal.aborted) current = begin();
  }

  /** Ends with the session that nothing follows, whether it was told to end or failed. */
  async function untilStopped(): Promise<void> {
    for (;;) {
      const last = current;
      await last.session.stopped;
      await changing;
      if (current === last) return;
    }
  }

  return {
    ready,
    stopped: untilStopped(),
    update: (next) => {
      const isSameShape = shapeOf(next) === shapeOf(api);
      api = next;
      if (isSameShape) current.session.lookAgain();
      else {
        changing = changing.then(restart);
        // A session that failed is told by `stopped`.
        changing.catch(() => {});
      }
    },
    stillUses: (serviceNamespace) => current.session.stillUses(serviceNamespace),
  };
}

/** What watches and clients depend on. */
function shapeOf({ appType, controlPlaneType, isolation, informerScope, statusSubresource }: BoundApi): string {
  const types = [appType, controlPlaneType].map((type) => [
    apiVersionOf(type),
    type.plural,
    type.kind,
    type.namespaced,
  ]);
  return JSON.stringify([types, isolation, informerScope, statusSubresource]);
}
