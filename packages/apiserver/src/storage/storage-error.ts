/** Codes of {@link StorageError}. */
export type StorageErrorCode =
  /** The folder cannot be used: missing rights, no space, not a folder. */
  | 'KLUTCH_STORE_UNUSABLE'
  /** Another process, or another store of this one, has the folder. */
  | 'KLUTCH_STORE_LOCKED'
  /** Files in the folder do not hold what was written to them. */
  | 'KLUTCH_STORE_DAMAGED'
  /** A write could not be made safe; the store serves reads only until it can write again. */
  | 'KLUTCH_STORE_FAILED'
  | 'KLUTCH_STORE_CLOSED';

/** Something is wrong with the store itself, not with a request. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What an error of the file system says, without its stack. */
export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
