import { errorCatalogue, KlutchError, type KlutchErrorCode } from '@klutch/api';
import { KubeError } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { failureOf } from './failure.ts';
import { TooManyRequests } from './rate-limits.ts';

describe('what a client is told about an error', () => {
  it('is its message, with the status of the error catalogue', () => {
    for (const [code, { httpStatus }] of Object.entries(errorCatalogue as Record<string, { httpStatus?: number }>)) {
      const { status, message } = failureOf(new KlutchError(code as KlutchErrorCode, 'why'));
      expect(status).toBe(httpStatus ?? 500);
      expect(message).toBe('why');
    }
  });

  it.each<[string, unknown, number, string]>([
    [
      'the control plane',
      new KubeError('KUBE_FORBIDDEN', 'secrets "x" is forbidden'),
      503,
      'KLUTCH_BACKEND_UNAVAILABLE',
    ],
    ['something unforeseen', new TypeError('x is not a function'), 500, 'KLUTCH_INTERNAL'],
    ['something that is no error', 'secret', 500, 'KLUTCH_INTERNAL'],
    [
      'a malformed request',
      Object.assign(new Error('Unexpected token s in JSON'), { statusCode: 400 }),
      400,
      'KLUTCH_REQUEST_INVALID',
    ],
    ['a library that fails', Object.assign(new Error('boom'), { statusCode: 502 }), 500, 'KLUTCH_INTERNAL'],
  ])('S-20 says nothing of the inside when it comes from %s', (_, error, status, code) => {
    const failure = failureOf(error);

    expect(failure).toMatchObject({ status, code });
    expect(failure.message).not.toMatch(/forbidden|function|secret|token|boom/);
  });

  it('tells how long to wait', () => {
    expect(failureOf(new TooManyRequests('of you', 17)).retryAfterSeconds).toBe(17);
    expect(failureOf(new KubeError('KUBE_TIMEOUT', 'x')).retryAfterSeconds).toBe(5);
    expect(failureOf(new KlutchError('KLUTCH_NOT_ENTITLED', 'x')).retryAfterSeconds).toBeUndefined();
  });
});
