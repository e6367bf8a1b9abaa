import type { ListOptions } from '../list/index.ts';
import { requireReached, versionOrInternal } from '../list/resource-version.ts';
import { expired, StatusError } from '../status/status-error.ts';
import type { Store } from '../storage/types.ts';

/** How a watch begins. */
export type Start =
  /** With the state there is, as of the revision. */
  | { readonly kind: 'state'; readonly revision: number }
  /** With the events after the revision. */
  | { readonly kind: 'events'; readonly revision: number }
  /** With an error event, and that is all. */
  | { readonly kind: 'error'; readonly error: StatusError };

/**
 * Decides how a watch begins. Throws what Kubernetes answers before a watch is accepted.
 *
 * @param since revision before which there is no history of what is watched, whatever the store has
 */
export function startOf(store: Store, options: ListOptions, since = 0): Start {
  const { resourceVersion: text, sendInitialEvents = text === '' || text === '0' } = options;
  const version = versionOrInternal(text);
  if (sendInitialEvents) {
    const error = errorOf(() => requireReached(store, version, text === '' ? '0' : text));
    return error ? { kind: 'error', error } : { kind: 'state', revision: store.durableRevision };
  }
  if (version === 0) return { kind: 'events', revision: store.durableRevision };
  const oldest = Math.max(store.oldestRevision, since);
  if (version >= oldest) return { kind: 'events', revision: version };
  return { kind: 'error', error: expired(`too old resource version: ${version} (${oldest})`) };
}

function errorOf(action: () => void): StatusError | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}
