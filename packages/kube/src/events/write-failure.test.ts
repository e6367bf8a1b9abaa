import { describe, expect, it } from 'vitest';
import type { KubeErrorCode } from '../errors/codes.ts';
import { KubeError } from '../errors/kube-error.ts';
import { isNamespaceTerminating, isPassingFailure } from './write-failure.ts';

describe('failed writing of an Event', () => {
  it.each<[KubeErrorCode, boolean]>([
    ['KUBE_UNREACHABLE', true],
    ['KUBE_TIMEOUT', true],
    ['KUBE_SERVER_ERROR', true],
    ['KUBE_TOO_MANY_REQUESTS', true],
    ['KUBE_CONFLICT', true],
    ['KUBE_UNAUTHORIZED', true],
    ['KUBE_CREDENTIALS_FAILED', true],
    ['KUBE_FORBIDDEN', false],
    ['KUBE_NOT_FOUND', false],
    ['KUBE_INVALID', false],
    ['KUBE_ABORTED', false],
  ])('with %s may pass: %s', (code, isPassing) => {
    expect(isPassingFailure(new KubeError(code, 'no'))).toBe(isPassing);
  });

  it('with an error of unknown kind does not pass', () => {
    expect(isPassingFailure(new TypeError('undefined is not a function'))).toBe(false);
  });

  it('tells a terminating namespace from missing rights', () => {
    const causes = [{ reason: 'NamespaceTerminating', message: 'namespace a is being terminated' }];
    const body = { kind: 'Status', apiVersion: 'v1', details: { causes } } as const;

    expect(isNamespaceTerminating(new KubeError('KUBE_FORBIDDEN', 'no', { body }))).toBe(true);
    expect(isNamespaceTerminating(new KubeError('KUBE_FORBIDDEN', 'no'))).toBe(false);
    expect(isNamespaceTerminating(new KubeError('KUBE_NOT_FOUND', 'no', { body }))).toBe(false);
  });
});
