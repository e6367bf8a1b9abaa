import { describe, expect, it } from 'vitest';
import { decideQuota } from './decide.ts';
import type { ResourceQuota } from './resource-quota.ts';

const quota = (hard: object, status?: object): ResourceQuota => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'klutch-tenant', namespace: 'n' },
  spec: { hard: { ...hard } },
  ...(status ? { status } : {}),
});
const limits = { 'count/secrets': '9', 'count/widgets.ex.io': '9' };
const countable = (...names: string[]) => new Set(names);
const counted = quota(limits, { hard: limits, used: { 'count/secrets': '1', 'count/widgets.ex.io': '2' } });

describe('the quota of a tenant', () => {
  it('names what the control plane counts, and nothing else', () => {
    expect(decideQuota({ limits, countable: countable('count/secrets', 'count/leases') })).toEqual({
      hard: { 'count/secrets': '9' },
      lost: [],
    });
  });

  it('is not made while nothing is counted', () => {
    expect(decideQuota({ limits, countable: countable() })).toEqual({ lost: [] });
  });

  it('stays as it is when it is right', () => {
    expect(decideQuota({ limits, countable: countable(...Object.keys(limits)), quota: counted })).toEqual({
      lost: [],
    });
  });

  it('stays when the server writes its limits in another form', () => {
    const short = quota({ 'count/secrets': '1k' });

    expect(
      decideQuota({ limits: { 'count/secrets': '1000' }, countable: countable(), quota: short }).hard,
    ).toBeUndefined();
    expect(
      decideQuota({ limits: { 'count/secrets': '2000' }, countable: countable(), quota: short }).hard,
    ).toBeDefined();
  });

  it('keeps what is in force when a backend has only started and knows of nothing counted', () => {
    expect(decideQuota({ limits, countable: countable(), quota: counted })).toEqual({ lost: [] });
  });

  it('follows other limits, also those that somebody else changed', () => {
    const changed = quota({ 'count/secrets': '9000', 'count/widgets.ex.io': '9' });

    expect(decideQuota({ limits, countable: countable(), quota: changed }).hard).toEqual(limits);
  });

  it('drops what is no longer granted', () => {
    const { hard } = decideQuota({ limits: { 'count/secrets': '9' }, countable: countable(), quota: counted });

    expect(hard).toEqual({ 'count/secrets': '9', 'count/widgets.ex.io': null });
  });

  it('drops a type that is in force and not counted, since nobody could create any', () => {
    const stuck = quota(limits, { hard: limits, used: { 'count/secrets': '1' } });

    expect(decideQuota({ limits, countable: countable(...Object.keys(limits)), quota: stuck })).toEqual({
      hard: { 'count/secrets': '9', 'count/widgets.ex.io': null },
      lost: ['count/widgets.ex.io'],
    });
  });
});
