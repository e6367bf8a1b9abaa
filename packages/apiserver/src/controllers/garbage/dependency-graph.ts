import type { Metadata, OwnerReference } from '../../objects/api-object.ts';
import type { Entry } from '../../storage/types.ts';
import { FOREGROUND, ORPHAN } from './decide.ts';
import { type Dependent, DependentIndex, idOf } from './dependent-index.ts';

/**
 * Who depends on whom, kept up by telling it of every change; in turn it tells which objects deserve another look. Most
 * objects have no part in this and are passed over without being parsed.
 */
export class DependencyGraph {
  readonly #examine: (id: string) => void;
  readonly #index = new DependentIndex();
  /** Owners in foreground deletion: uid by id, id by uid. */
  readonly #waiting = new Map<string, string>();
  readonly #waitingByUid = new Map<string, string>();
  /** Owners that were seen to go and are still named: their type may be gone, too, so that nobody can look them up. */
  readonly #gone = new Map<string, { readonly namespace: string | undefined }>();

  /** @param examine is called with the id of an object that may have to go, or may go now */
  constructor(examine: (id: string) => void) {
    this.#examine = examine;
  }

  /** An object is now like this, or not there. */
  observe(bucket: string, key: string, now: Entry | undefined): void {
    const known = this.#index.get(bucket, key);
    const id = idOf(bucket, key);
    if (!known && !this.#waiting.has(id) && !(now && mayConcern(now))) return;
    const metadata = now?.object().metadata;
    this.#noteOwners(bucket, key, known?.owners ?? [], metadata?.ownerReferences ?? []);
    this.#noteDeletion(id, metadata);
  }

  /** An object has been there and is not any more; something else may be in its place. */
  observeGone(last: Entry): void {
    if (this.#index.isEmpty) return;
    const { uid = '', namespace } = last.object().metadata;
    const dependents = this.#index.dependentsOf(uid);
    if (dependents.length === 0) return;
    this.#gone.set(uid, { namespace });
    for (const dependent of dependents) this.#look(dependent);
  }

  /** Forgets the objects of a type that is not served any more. */
  removeBucket(bucket: string): void {
    this.#index.removeBucket(bucket);
    for (const uid of this.#gone.keys()) this.#forgetUnnamed(uid);
    for (const [id, uid] of this.#waiting) if (id.startsWith(idOf(bucket, ''))) this.#stopWaiting(id, uid);
  }

  dependentsOf(uid: string): readonly Dependent[] {
    return this.#index.dependentsOf(uid);
  }

  /** Dependents that must go before an owner that waits for them; not those that in turn wait for it. */
  blockersOf(uid: string): readonly Dependent[] {
    return this.#blocking(uid).filter((dependent) => !this.#waitsFor(dependent, uid));
  }

  /** Whether an object waits for its dependents to go. */
  isWaiting({ bucket, key }: Dependent): boolean {
    return this.#waiting.has(idOf(bucket, key));
  }

  /** Whether an owner of that uid, which others still name, was seen to go. */
  hasGone(uid: string): boolean {
    return this.#gone.has(uid);
  }

  /** Whether it was one that an object in this namespace may name. */
  hasGoneFrom(namespace: string | undefined, uid: string): boolean {
    const gone = this.#gone.get(uid);
    return gone !== undefined && (gone.namespace === undefined || gone.namespace === namespace);
  }

  #blocking(uid: string): readonly Dependent[] {
    return this.#index
      .dependentsOf(uid)
      .filter(({ owners }) => owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true));
  }

  /** Whether an object waits for another to go, directly or by way of others; without this, rings would stay for ever. */
  #waitsFor(dependent: Dependent, uid: string): boolean {
    const open = [dependent];
    const seen = new Set(open);
    for (const { bucket, key } of open) {
      const waitingUid = this.#waiting.get(idOf(bucket, key));
      if (waitingUid === uid) return true;
      const further = waitingUid === undefined ? [] : this.#blocking(waitingUid);
      for (const next of further) {
        if (!seen.has(next)) open.push(next);
        seen.add(next);
      }
    }
    return false;
  }

  #noteOwners(bucket: string, key: string, before: readonly OwnerReference[], now: readonly OwnerReference[]): void {
    if (JSON.stringify(before) === JSON.stringify(now)) return;
    this.#index.set(bucket, key, now);
    if (now.length > 0) this.#examine(idOf(bucket, key));
    for (const { uid } of before) {
      this.#forgetUnnamed(uid);
      const owner = this.#waitingByUid.get(uid);
      if (owner !== undefined) this.#examine(owner);
    }
  }

  #forgetUnnamed(uid: string): void {
    if (this.#index.dependentsOf(uid).length === 0) this.#gone.delete(uid);
  }

  #noteDeletion(id: string, metadata: Metadata | undefined): void {
    const pending = metadata?.deletionTimestamp === undefined ? [] : (metadata.finalizers ?? []);
    const uid = pending.includes(FOREGROUND) ? metadata?.uid : undefined;
    const before = this.#waiting.get(id);
    if (before !== undefined && before !== uid) this.#stopWaiting(id, before);
    if (uid !== undefined && before !== uid) this.#startWaiting(id, uid);
    if (pending.includes(ORPHAN)) this.#examine(id);
  }

  #startWaiting(id: string, uid: string): void {
    this.#waiting.set(id, uid);
    this.#waitingByUid.set(uid, id);
    this.#examine(id);
    for (const dependent of this.#index.dependentsOf(uid)) this.#look(dependent);
  }

  #stopWaiting(id: string, uid: string): void {
    this.#waiting.delete(id);
    this.#waitingByUid.delete(uid);
  }

  #look({ bucket, key }: Dependent): void {
    this.#examine(idOf(bucket, key));
  }
}

/** Whether an object can have owners, or can be one whose deletion others wait for; when in doubt, yes. */
function mayConcern({ json }: Entry): boolean {
  return json.includes('"ownerReferences"') || json.includes('"deletionTimestamp"');
}
