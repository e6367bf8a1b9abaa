import { describe, expect, it } from 'vitest';
import { errorCatalogue, errorEntry, type KlutchErrorCode } from './catalogue.ts';
import { isKlutchError, KlutchError } from './klutch-error.ts';

const codes = Object.keys(errorCatalogue) as KlutchErrorCode[];

describe('a Klutch error', () => {
  it('carries code, message and cause', () => {
    const cause = new Error('refused');

    const error = new KlutchError('KLUTCH_PROVIDER_UNREACHABLE', 'No answer from https://x.', { cause });

    expect(error).toMatchObject({
      name: 'KlutchError',
      code: 'KLUTCH_PROVIDER_UNREACHABLE',
      message: 'No answer from https://x.',
    });
    expect(error.cause).toBe(cause);
    expect(new KlutchError('KLUTCH_USAGE', 'x')).not.toHaveProperty('cause');
  });

  it('is recognised by its codes', () => {
    const error: unknown = new KlutchError('KLUTCH_CRD_FOREIGN', 'x');

    expect(isKlutchError(error)).toBe(true);
    expect(isKlutchError(error, 'KLUTCH_USAGE', 'KLUTCH_CRD_FOREIGN')).toBe(true);
    expect(isKlutchError(error, 'KLUTCH_USAGE')).toBe(false);
  });

  it('is recognised when another copy of this package made it', () => {
    const foreign = Object.assign(new Error('x'), { code: 'KLUTCH_USAGE', [Symbol.for('klutch.error')]: true });

    expect(isKlutchError(foreign, 'KLUTCH_USAGE')).toBe(true);
  });

  it.each([undefined, null, 'KLUTCH_USAGE', { code: 'KLUTCH_USAGE' }, new Error('x')])('is not %s', (other) => {
    expect(isKlutchError(other)).toBe(false);
  });
});

describe('the error catalogue', () => {
  it.each(codes)('describes %s in full sentences', (code) => {
    const { meaning, remedy } = errorEntry(code);

    expect(code).toMatch(/^KLUTCH_[A-Z]+(_[A-Z]+)*$/);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
    expect(remedy).toMatch(/^[A-Z].*\.$/);
  });

  it('gives HTTP statuses of errors only', () => {
    const statuses = codes.map((code) => errorEntry(code).httpStatus ?? 400);

    expect(statuses.filter((status) => status < 400 || status > 599)).toEqual([]);
  });

  it.each([
    ['authentication', 401],
    ['authorisation', 403],
    ['conflict', 409],
  ])('has an error of class %s that answers %i', (exit, status) => {
    expect(codes.some((code) => errorEntry(code).exit === exit && errorEntry(code).httpStatus === status)).toBe(true);
  });
});
