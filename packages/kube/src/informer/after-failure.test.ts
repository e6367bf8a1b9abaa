import { describe, expect, it } from 'vitest';
import type { KubeErrorCode } from '../errors/codes.ts';
import { KubeError } from '../errors/kube-error.ts';
import { afterFailure } from './after-failure.ts';

describe('afterFailure', () => {
  it.each<[KubeErrorCode, 'watch' | 'list']>([
    ['KUBE_UNREACHABLE', 'watch'],
    ['KUBE_TIMEOUT', 'watch'],
    ['KUBE_TOO_MANY_REQUESTS', 'watch'],
    ['KUBE_SERVER_ERROR', 'watch'],
    ['KUBE_UNAUTHORIZED', 'watch'],
    ['KUBE_GONE', 'list'],
    ['KUBE_FORBIDDEN', 'list'],
    ['KUBE_NOT_FOUND', 'list'],
    ['KUBE_INVALID', 'list'],
  ])('after %s goes on with a %s', (code, next) => {
    expect(afterFailure(new KubeError(code, ''), 'request')).toBe(next);
  });

  it.each([
    [new KubeError('KUBE_SERVER_ERROR', '', { status: 500 }), 'list'],
    [new KubeError('KUBE_GONE', '', { status: 410 }), 'list'],
    [new KubeError('KUBE_TOO_MANY_REQUESTS', '', { status: 429 }), 'watch'],
    [new KubeError('KUBE_UNREACHABLE', ''), 'watch'],
  ])('after %o inside of a watch goes on with a %s', (error, next) => {
    expect(afterFailure(error, 'watch')).toBe(next);
  });

  it('lists again when the version is beyond what the server knows', () => {
    const body = {
      kind: 'Status',
      apiVersion: 'v1',
      details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
    } as const;
    expect(afterFailure(new KubeError('KUBE_SERVER_ERROR', '', { status: 504, body }), 'request')).toBe('list');
  });
});
