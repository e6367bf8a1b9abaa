import { describe, expect, it } from 'vitest';
import type { ResourceQuota } from '../../kinds/core/resource-quotas.ts';
import { decideQuotaStatus } from './decide.ts';

const quota = (spec: ResourceQuota['spec'], status?: ResourceQuota['status']): ResourceQuota => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'q', namespace: 'n' },
  spec,
  ...(status ? { status } : {}),
});
const counts: Readonly<Record<string, number>> = { secrets: 2, 'count/secrets': 2 };
const countOf = (name: string) => counts[name];

describe('the status of a quota', () => {
  it('has the limits and the numbers of objects', () => {
    expect(decideQuotaStatus(quota({ hard: { 'count/secrets': '5', secrets: '1' } }), countOf)).toEqual({
      hard: { 'count/secrets': '5', secrets: '1' },
      used: { 'count/secrets': '2', secrets: '2' },
    });
  });

  it('says nothing about the use of what is not counted', () => {
    expect(decideQuotaStatus(quota({ hard: { cpu: '5', 'count/widgets.ex.io': '1' } }), countOf)?.used).toEqual({});
  });

  it('keeps the number of a type that is not served at the moment', () => {
    const hard = { 'count/widgets.ex.io': '1' };
    const used = { 'count/widgets.ex.io': '7', 'count/gone': '3' };

    expect(decideQuotaStatus(quota({ hard }, { hard, used }), countOf)?.used).toEqual({ 'count/widgets.ex.io': '7' });
  });

  it.each([
    ['nothing has changed', { hard: { secrets: '5' } }, { hard: { secrets: '5' }, used: { secrets: '2' } }],
    ['there are no limits', {}, undefined],
  ])('stays when %s', (_, spec, status) => {
    expect(decideQuotaStatus(quota(spec, status), countOf)).toBeUndefined();
  });

  it('counts nothing for a quota that is about a scope', () => {
    expect(decideQuotaStatus(quota({ hard: { secrets: '5' }, scopes: ['BestEffort'] }), countOf)).toEqual({
      hard: { secrets: '5' },
      used: {},
    });
  });
});
