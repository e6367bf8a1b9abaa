import { KubeError } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { secretOf } from './claim.fixture.ts';
import { redactError, redactText } from './redact.ts';

const secret = secretOf({ name: 'db' }, { password: Buffer.from('hunter2').toString('base64'), pin: 'NDI=' });

describe('redaction', () => {
  it('removes values as they are sent and as they are meant', () => {
    const text = `Invalid value: "hunter2" (${Buffer.from('hunter2').toString('base64')})`;
    expect(redactText(text, secret)).toBe('Invalid value: "[redacted]" ([redacted])');
  });

  it('removes a value that holds another whole', () => {
    const both = secretOf({ name: 'db' }, { a: 'secret', b: 'secret-and-more' });
    expect(redactText('got secret-and-more', both)).toBe('got [redacted]');
  });

  it('leaves out what the server sent, and keeps what tells errors apart', () => {
    const body = { kind: 'Status', apiVersion: 'v1', message: 'hunter2' } as const;
    const cause = new Error('hunter2');
    const error = new KubeError('KUBE_INVALID', 'no hunter2', { status: 422, reason: 'Invalid', body, cause });
    const redacted = redactError(error, secret);
    expect(redacted).toMatchObject({ code: 'KUBE_INVALID', status: 422, reason: 'Invalid', message: 'no [redacted]' });
    expect(JSON.stringify(redacted, Object.getOwnPropertyNames(redacted))).not.toContain('hunter2');
    expect((redacted as Error).cause).toBeUndefined();
  });

  it('tells that a namespace is ending', () => {
    const body = {
      kind: 'Status',
      apiVersion: 'v1',
      details: { causes: [{ reason: 'NamespaceTerminating' }] },
    } as const;
    const error = new KubeError('KUBE_FORBIDDEN', 'no', { reason: 'Forbidden', body });
    expect(redactError(error, secret)).toMatchObject({ reason: 'NamespaceTerminating' });
  });

  it('passes other errors through', () => {
    const error = new TypeError('x');
    expect(redactError(error, secret)).toBe(error);
  });
});
