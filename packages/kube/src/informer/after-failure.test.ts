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
    expect(afterFailure(new KubeError(code, ''))).toBe(next);
  });

  it('lists again when the version is beyond what the server knows', () => {
    const body = {
      kind: 'Status',
      apiVersion: 'v1',
      details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
    } as const;
    expect(afterFailure(new KubeError('KUBE_SERVER_ERROR', '', { status: 504, body }))).toBe('list');
  });
});
