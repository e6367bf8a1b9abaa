/** What went wrong in the kit, for machines. */
export type KitErrorCode =
  | 'KLUTCH_KIT_BINARIES_MISSING'
  | 'KLUTCH_KIT_BUILD_FAILED'
  | 'KLUTCH_KIT_START_FAILED'
  | 'KLUTCH_KIT_TIMEOUT'
  | 'KLUTCH_KIT_TIER_MISSING'
  | 'KLUTCH_KIT_USAGE';

/** The one error class of the kit. The message says what happened and what to do; it never holds a credential. */
export class KitError extends Error {
  readonly code: KitErrorCode;

  constructor(code: KitErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'KitError';
    this.code = code;
  }
}
