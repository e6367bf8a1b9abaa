import { KubeError, type KubeErrorCode } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import type { Rejection } from './memory.ts';
import { isRejection, rejectionOf } from './rejection.ts';

const errorOf = (code: KubeErrorCode, message = 'no') =>
  new KubeError(code, `Cannot do it: ${message}`, { body: { kind: 'Status', apiVersion: 'v1', message } });

describe('an error', () => {
  it.each<[KubeErrorCode, boolean]>([
    ['KUBE_INVALID', true],
    ['KUBE_FORBIDDEN', true],
    ['KUBE_NOT_FOUND', true],
    ['KUBE_REQUEST_FAILED', true],
    ['KUBE_CONFLICT', false],
    ['KUBE_UNREACHABLE', false],
    ['KUBE_SERVER_ERROR', false],
    ['KUBE_TOO_MANY_REQUESTS', false],
    ['KUBE_UNAUTHORIZED', false],
    ['KUBE_LEADERSHIP_LOST', false],
    ['KUBE_ABORTED', false],
  ])('%s counts as a rejection of the object: %s', (code, expected) => {
    expect(isRejection(errorOf(code))).toBe(expected);
  });

  it('about a field that the control plane does not know is a rejection', () => {
    const message = 'failed to create typed patch object (x): .spec.foo: field not declared in schema';
    expect(isRejection(errorOf('KUBE_SERVER_ERROR', message))).toBe(true);
    expect(isRejection(new Error('x'))).toBe(false);
  });
});

describe('a rejection', () => {
  const attempt = { applied: 'd1', copyVersion: undefined };

  it('by a quota says what to do', () => {
    const message = 'widgets.ex.io "w" is forbidden: exceeded quota: klutch-tenant, requested: count/widgets.ex.io=1';

    expect(rejectionOf(errorOf('KUBE_FORBIDDEN', message), attempt, undefined, 0)).toMatchObject({
      message: `${message}. Delete claims in this namespace that are no longer needed, or ask the provider to raise the limit.`,
      mayPass: false,
    });
  });

  it('is told in the words of the control plane', () => {
    const rejection = rejectionOf(errorOf('KUBE_INVALID', 'spec.size: too big'), attempt, undefined, 0);
    expect(rejection).toEqual({ ...attempt, message: 'spec.size: too big', failures: 1, until: 250, mayPass: false });
  });

  it('makes the pauses longer each time, up to two minutes', () => {
    let rejection: Rejection | undefined;
    const pauses = Array.from({ length: 12 }, () => {
      rejection = rejectionOf(errorOf('KUBE_INVALID'), attempt, rejection, 0);
      return rejection.until;
    });
    expect(pauses.slice(0, 4)).toEqual([250, 500, 1_000, 2_000]);
    expect(pauses.at(-1)).toBe(120_000);
    expect([...pauses].sort((a, b) => a - b)).toEqual(pauses);
  });

  it('of something else starts anew', () => {
    const first = rejectionOf(errorOf('KUBE_INVALID'), attempt, undefined, 0);
    const second = rejectionOf(errorOf('KUBE_INVALID'), attempt, first, 0);
    expect(rejectionOf(errorOf('KUBE_INVALID'), { ...attempt, applied: 'd2' }, second, 0).failures).toBe(1);
    expect(rejectionOf(errorOf('KUBE_INVALID'), { ...attempt, copyVersion: 'v' }, second, 0).failures).toBe(1);
  });

  it.each([
    ['User "x" cannot patch resource "widgets" in API group "g" in the namespace "n"', true],
    ['exceeded quota: q, requested: count/widgets=1, used: 3, limited: 3', false],
    ['admission webhook "w" denied the request: no', false],
  ])('for lack of rights may pass: %s', (message, mayPass) => {
    expect(rejectionOf(errorOf('KUBE_FORBIDDEN', message), attempt, undefined, 0).mayPass).toBe(mayPass);
  });
});
