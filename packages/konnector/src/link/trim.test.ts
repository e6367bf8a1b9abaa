import { describe, expect, it } from 'vitest';
import { trimmed } from './trim.ts';

describe('what caches keep', () => {
  it('is everything but the managers of fields and the copy that kubectl made', () => {
    const metadata = { name: 'x', labels: { a: 'b' } };
    const annotations = { note: 'n', 'kubectl.kubernetes.io/last-applied-configuration': '{"a":1}' };
    const object = {
      apiVersion: 'v1',
      kind: 'X',
      metadata: { ...metadata, annotations, managedFields: [{}] },
      spec: 1,
    };

    expect(trimmed(object)).toEqual({ ...object, metadata: { ...metadata, annotations: { note: 'n' } } });
  });

  it('has no annotations where there were none', () => {
    expect(trimmed({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x' } }).metadata).toEqual({ name: 'x' });
  });
});
