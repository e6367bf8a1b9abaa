/** Something that claims of one kind must fulfil, beyond what the schema of a field can say. */
export interface Rule {
  /** Such as `plan.size.grow`; unique within its kind. */
  readonly id: string;
  /** The field a refusal is about, below `spec`. */
  readonly field: string;
  /** `change`: holds for what an update makes of an existing object, and is not asked when one is created. */
  readonly asked: 'always' | 'change';
  readonly holds: Expression;
  /** One sentence that says what is allowed. */
  readonly message: string;
}

/**
 * A statement about `spec` now, and about `spec` before. Fields are named by their path below `spec`, with dots. Before there was
 * anything, no field is set.
 */
export type Expression =
  | { readonly is: 'set'; readonly field: string; readonly time?: Time }
  /** The field, a text, is set to one of these. */
  | { readonly is: 'in'; readonly field: string; readonly values: readonly string[]; readonly time?: Time }
  /** The field, not an object, has the same value as before, or is set neither now nor before. */
  | { readonly is: 'kept'; readonly field: string }
  /** There was nothing before. */
  | { readonly is: 'created' }
  | { readonly is: 'not'; readonly of: Expression }
  | { readonly is: 'all' | 'any'; readonly of: readonly Expression[] };

/** Default: now. */
export type Time = 'now' | 'before';

/** The `spec` of a claim. */
export type Spec = Readonly<Record<string, unknown>>;
