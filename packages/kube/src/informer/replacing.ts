import type { KubeObject } from '../objects/meta.ts';

/** A complete state, told object by object. One that is never done does not count. */
export interface Replacing<T extends KubeObject> {
  put(object: T): void;
  delete(object: T): void;
  /** All has been told; it is the state at this version. */
  done(version: string | undefined): void;
}
