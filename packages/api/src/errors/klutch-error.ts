import type { KlutchErrorCode } from './catalogue.ts';

const brand = Symbol.for('klutch.error');

/** The one error the components of Klutch throw. `message` says what happened, to what, and what to do; never a secret. */
export class KlutchError extends Error {
  override readonly name = 'KlutchError';
  readonly code: KlutchErrorCode;
  readonly [brand] = true;

  constructor(code: KlutchErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}

/** True for a {@link KlutchError}, also one created by another copy of this package; narrows to the given codes. */
export function isKlutchError(error: unknown, ...codes: KlutchErrorCode[]): error is KlutchError {
  if (typeof error !== 'object' || error === null || !(brand in error)) return false;
  return codes.length === 0 || codes.includes((error as KlutchError).code);
}
