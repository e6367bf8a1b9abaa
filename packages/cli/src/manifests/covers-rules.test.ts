import { appClusterRules } from '@klutch/konnector';
import { describe, expect, it } from 'vitest';
import { coversRules } from './covers-rules.ts';

const wanted = appClusterRules([{ group: 'example.org', plural: 'widgets' }]).cluster;
const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];

describe('coversRules', () => {
  it.each([
    ['the same rules', wanted, true],
    ['everything', everything, true],
    ['more', appClusterRules([{ group: 'example.org', plural: 'widgets' }], [{ resource: 'secrets' }]).cluster, true],
    ['those of another API', appClusterRules([{ group: 'example.org', plural: 'gadgets' }]).cluster, false],
    ['nothing', [], false],
    ['no rules at all', undefined, false],
    [
      'everything but deleting',
      [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch', 'create', 'update', 'patch'] }],
      false,
    ],
  ])('compares with %s', (_, has, covers) => {
    expect(coversRules(has, wanted)).toBe(covers);
    expect(coversRules(everything, has)).toBe(true);
  });

  it('knows that a rule for some names is not one for all', () => {
    const some = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['a', 'b'] }];
    const all = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];

    expect([coversRules(some, all), coversRules(all, some)]).toEqual([false, true]);
    expect(coversRules(some, [{ ...some[0], resourceNames: ['a'] }])).toBe(true);
    expect(coversRules(some, [{ ...some[0], resourceNames: ['a', 'c'] }])).toBe(false);
  });
});
