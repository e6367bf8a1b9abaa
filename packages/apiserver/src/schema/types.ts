import type { JsonSchema } from '@klutch/cel';
import type { FieldCause } from '../status/status-error.ts';

/** A structural schema, ready to be used on objects. All methods leave `apiVersion`, `kind` and `metadata` of the root alone. */
export interface CompiledSchema {
  readonly source: JsonSchema;
  /** Removes fields the schema does not know, in place; returns their paths, as strict field validation reports them. */
  prune(object: object, options?: PruneOptions): readonly string[];
  /** Fills in defaults, in place. */
  applyDefaults(object: object): void;
  /**
   * Everything wrong with an object, schema rules first, then CEL; `old` enables transition rules and ratcheting.
   * @param onTolerated hears of rules that are broken by a part of the object that has not changed
   */
  validate(object: object, old?: object, onTolerated?: (problem: string) => void): readonly FieldCause[];
  /** The same for an update of the status subresource: only the status is held to the schema, rules see everything. */
  validateStatus(object: object, old: object, onTolerated?: (problem: string) => void): readonly FieldCause[];
}

export interface PruneOptions {
  /** The object was stored before, maybe under another schema: what cannot be read of it goes as well. Default false. */
  readonly isStored?: boolean;
}
