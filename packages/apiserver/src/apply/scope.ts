import type { JsonObject } from '../objects/api-object.ts';
import { type FieldSet, fieldSet } from './field-set.ts';
import type { ValueType } from './value-type.ts';

/** The endpoint of a request, as far as field ownership cares: one resource type in one version, or a subresource. */
export interface OwnershipScope {
  /** For example `example.org/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** `status` and so on; absent for the object itself. */
  readonly subresource?: string;
  /** Compiled schemas of all versions of the type by apiVersion; entries of managedFields may be of any. */
  readonly types: ReadonlyMap<string, ValueType>;
  /** Fields requests to this endpoint cannot change, by apiVersion: nobody comes to own them through it. */
  readonly reset?: ReadonlyMap<string, FieldSet>;
  /** Absent for custom resources, which Kubernetes treats a little differently. */
  readonly builtIn?: BuiltIn;
}

/**
 * A kind that is not a custom resource. For these, entries of versions not in `types` are dropped; for custom resources
 * such entries make it impossible to apply, and an update forgets all entries. An empty list of managedFields in a
 * request resets those of a built-in kind; for a custom resource it means nothing.
 */
interface BuiltIn {
  /**
   * What an object of the kind has before anything is set, such as `{ spec: { strategy: {} } }`. It was not set by
   * anyone, so nobody comes to own it.
   */
  readonly blank: JsonObject;
}

/** An object of the scope's kind with nothing set. */
export function blankObject({ apiVersion, kind, builtIn }: OwnershipScope): JsonObject {
  return { ...builtIn?.blank, apiVersion, kind };
}

/**
 * Reset fields of a custom resource's endpoint: `status` cannot be set through the object when it is a subresource,
 * `spec` not through the status.
 *
 * @param versions of the resource type which have a status subresource, as apiVersions
 */
export function customResourceResetFields(
  apiVersion: string,
  subresource: string | undefined,
  versions: readonly string[],
): ReadonlyMap<string, FieldSet> {
  if (subresource === 'status') return new Map(versions.map((version) => [version, SPEC]));
  return new Map(versions.filter((version) => version === apiVersion).map((version) => [version, STATUS]));
}

const SPEC = fieldSet('spec');
const STATUS = fieldSet('status');
