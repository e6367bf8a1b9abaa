import type { OwnerReference } from '../../objects/api-object.ts';

/** An object that names owners. */
export interface Dependent {
  readonly bucket: string;
  readonly key: string;
  readonly owners: readonly OwnerReference[];
}

/** Which objects name an owner, by the owner's uid. Objects without owners are not in it. */
export class DependentIndex {
  readonly #dependents = new Map<string, Dependent>();
  readonly #byOwner = new Map<string, Set<Dependent>>();

  get(bucket: string, key: string): Dependent | undefined {
    return this.#dependents.get(idOf(bucket, key));
  }

  /** Notes the owners of an object; none takes it out. */
  set(bucket: string, key: string, owners: readonly OwnerReference[]): void {
    const id = idOf(bucket, key);
    this.#unlink(id);
    if (owners.length === 0) return;
    const dependent = { bucket, key, owners };
    this.#dependents.set(id, dependent);
    for (const { uid } of owners) {
      const siblings = this.#byOwner.get(uid) ?? new Set();
      this.#byOwner.set(uid, siblings.add(dependent));
    }
  }

  /** Forgets all objects of a type. */
  removeBucket(bucket: string): void {
    for (const [id, dependent] of this.#dependents) if (dependent.bucket === bucket) this.#unlink(id);
  }

  dependentsOf(uid: string): readonly Dependent[] {
    return [...(this.#byOwner.get(uid) ?? [])];
  }

  get isEmpty(): boolean {
    return this.#dependents.size === 0;
  }

  #unlink(id: string): void {
    const dependent = this.#dependents.get(id);
    if (!dependent) return;
    this.#dependents.delete(id);
    for (const { uid } of dependent.owners) {
      const siblings = this.#byOwner.get(uid);
      siblings?.delete(dependent);
      if (siblings?.size === 0) this.#byOwner.delete(uid);
    }
  }
}

/** One text for a place in the store; plurals have no spaces in them. */
export function idOf(bucket: string, key: string): string {
  return `${bucket} ${key}`;
}

/** The place in the store that {@link idOf} made a text of. */
export function placeOfId(id: string): { readonly bucket: string; readonly key: string } {
  const end = id.indexOf(' ');
  return { bucket: id.slice(0, end), key: id.slice(end + 1) };
}
