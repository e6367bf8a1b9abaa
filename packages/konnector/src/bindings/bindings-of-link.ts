import type { APIServiceBinding } from '@klutch/api';

/** The bindings that one link serves, always current. */
export interface BindingsOfLink {
  /** All of them, each a copy of its own. Deleted ones are not among them; terminating ones are. */
  list(): readonly APIServiceBinding[];
  /** Tells of every change to the list or to one of its bindings; call the result to end it. */
  subscribe(changed: () => void): () => void;
}
