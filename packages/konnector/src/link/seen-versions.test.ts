import { annotations } from '@klutch/api';
import type { Lease } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { seenVersionsOf, withSeenVersions } from './seen-versions.ts';

const lease = (text?: string): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'klutch-bind', annotations: text === undefined ? {} : { [annotations.seenVersions]: text } },
});

describe('what a lease remembers of control planes', () => {
  const exports = 'klutch.anynines.com/v1alpha1/apiserviceexports';

  it('is read as it was written, beside what others wrote', () => {
    const seen = new Map([
      ['tenant-b', new Map([['v1/secrets', '12']])],
      [
        'tenant-a',
        new Map([
          [exports, '90071992547409931'],
          ['v1/secrets', '7'],
        ]),
      ],
    ]);
    const theirs = { ...lease(), metadata: { name: 'klutch-bind', annotations: { 'example.org/theirs': 'yes' } } };

    const written = withSeenVersions(theirs, seen);

    expect(written.metadata.annotations).toHaveProperty(['example.org/theirs'], 'yes');
    expect(seenVersionsOf(written)).toEqual(seen);
    expect(withSeenVersions(written, seen)).toEqual(written);
  });

  it('leaves out bound APIs, of which there may be many', () => {
    const versions = new Map([
      ['example.org/v1/widgets', '9'],
      ['v1/secrets', '7'],
    ]);

    expect(seenVersionsOf(withSeenVersions(lease(), new Map([['tenant', versions]])))).toEqual(
      new Map([['tenant', new Map([['v1/secrets', '7']])]]),
    );
  });

  it.each([undefined, '', ';', ',', 'tenant', 'tenant,', 'tenant,v1/secrets', 'tenant,v1/secrets=x', 'tenant,=5'])(
    'is nothing where it makes no sense: %j',
    (text) => {
      expect([...seenVersionsOf(lease(text)).values()].flatMap((versions) => [...versions])).toEqual([]);
    },
  );

  it('stays as it was rather than become too large', () => {
    const many = new Map(Array.from({ length: 5_000 }, (_, index) => [`tenant-${index}`, new Map([[exports, '1']])]));

    expect(withSeenVersions(lease('tenant,v1/secrets=1'), many)).toEqual(lease('tenant,v1/secrets=1'));
  });
});
