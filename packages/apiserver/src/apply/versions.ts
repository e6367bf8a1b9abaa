import type { Json } from '../objects/api-object.ts';
import { differenceWithBelow, type FieldSet, NO_FIELDS } from './field-set.ts';
import type { OwnershipScope } from './scope.ts';
import { joinProblems, typeProblems } from './validate.ts';
import type { ValueType } from './value-type.ts';

/** Ownership cannot be worked out; the text is the one Kubernetes would send to someone who applies. */
export class OwnershipProblem extends Error {
  override readonly name = 'OwnershipProblem';
}

/**
 * The versions of a resource type during one request. Without conversion an object is the same in all of them, but
 * schemas may differ, and an object that does not fit the schema of a version cannot be seen in it.
 */
export class Versions {
  /** The version of the request. */
  readonly current: string;
  readonly #scope: OwnershipScope;
  readonly #convertible = new Map<string, WeakSet<object>>();

  constructor(scope: OwnershipScope) {
    this.current = scope.apiVersion;
    this.#scope = scope;
  }

  typeOf(apiVersion: string): ValueType {
    const type = this.#scope.types.get(apiVersion);
    if (type !== undefined) return type;
    throw new OwnershipProblem(`request to convert CR to an invalid group/version: ${apiVersion}`);
  }

  /** Whether owners of a version are to be forgotten because nobody knows that version any more. */
  isDropped(apiVersion: string): boolean {
    return this.#scope.builtIn !== undefined && !this.#scope.types.has(apiVersion);
  }

  /** The set without what requests to this endpoint cannot change. */
  withoutReset(set: FieldSet, apiVersion: string): FieldSet {
    return differenceWithBelow(set, this.#scope.reset?.get(apiVersion) ?? NO_FIELDS);
  }

  /**
   * Throws an {@link OwnershipProblem} when an object cannot be seen in a version.
   *
   * @param doing what to say before the reason
   * @param from the version in which it is known to be all right
   */
  requireConvertible(object: Json, apiVersion: string, doing = '', from = this.current): void {
    if (apiVersion === from || typeof object !== 'object' || object === null) return;
    const known = this.#convertible.get(apiVersion) ?? new WeakSet();
    this.#convertible.set(apiVersion, known);
    if (known.has(object)) return;
    const problems = typeProblems(this.typeOf(apiVersion), object, { allowDuplicates: false });
    if (problems.length > 0) throw new OwnershipProblem(`${doing}${joinProblems(problems)}`);
    known.add(object);
  }
}
