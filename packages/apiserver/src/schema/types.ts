import type { JsonSchema, ObjectValidation } from '@klutch/cel';

/** A structural schema, ready to be used on objects. All methods leave `apiVersion`, `kind` and `metadata` of the root alone. */
export interface CompiledSchema extends ObjectValidation {
  readonly source: JsonSchema;
  /** Removes fields the schema does not know, in place; returns their paths, as strict field validation reports them. */
  prune(object: object, options?: PruneOptions): readonly string[];
  /** Fills in defaults, in place. */
  applyDefaults(object: object): void;
}

export interface PruneOptions {
  /** The object was stored before, maybe under another schema: what cannot be read of it goes as well. Default false. */
  readonly isStored?: boolean;
}
