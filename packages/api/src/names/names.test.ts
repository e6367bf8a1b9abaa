import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { annotations } from './annotations.ts';
import { apiName } from './api-name.ts';
import { finalizers } from './finalizers.ts';
import { labels } from './labels.ts';

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

describe('well-known keys', () => {
  it.each([...Object.values(annotations), ...Object.values(finalizers), ...Object.values(labels)])(
    '%s is a key that Kubernetes accepts',
    (key) => {
      expect(key).toMatch(/^([a-z0-9.-]+\/)?[a-z][-a-z]*$/);
    },
  );

  it('are all different', () => {
    const keys = [...Object.values(annotations), ...Object.values(finalizers), ...Object.values(labels)];

    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the name of an API', () => {
  it.each([
    [{ group: 'anynines.com', resource: 'servicebindings' }, 'servicebindings.anynines.com'],
    [{ group: '', resource: 'secrets' }, 'secrets'],
    [{ resource: 'secrets' }, 'secrets'],
  ])('of %j is %s', (api, name) => {
    expect(apiName(api)).toBe(name);
  });

  it('never ends in a dot', () => {
    fc.assert(
      fc.property(fc.stringMatching(dnsLabel), fc.constantFrom('', 'example.org'), (resource, group) => {
        expect(apiName({ resource, group })).not.toMatch(/\.$/);
      }),
    );
  });
});
