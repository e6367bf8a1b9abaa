import { isKlutchError, type KlutchErrorCode, type PermissionClaim } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { type ClaimPolicy, decideClaims } from './decide-claims.ts';

const secrets: PermissionClaim = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } };
const apps: PermissionClaim = { group: 'apps', resource: 'deployments', version: 'v1' };
const list = (answers: Readonly<Record<string, boolean>>): ClaimPolicy => ({
  kind: 'list',
  source: 'a file',
  answers: new Map(Object.entries(answers)),
});

async function states(
  policy: ClaimPolicy,
  claims: readonly PermissionClaim[],
  decided: Parameters<typeof decideClaims>[0][0]['decided'] = [],
) {
  const decisions = await decideClaims([{ api: 'a.b', claims, decided }], policy);
  return (decisions.get('a.b') ?? []).map(({ resource, state }) => `${resource} ${state}`);
}

async function codeOf(work: Promise<unknown>): Promise<KlutchErrorCode | undefined> {
  const error = await work.catch((caught: unknown) => caught);
  return isKlutchError(error) ? error.code : undefined;
}

describe('decideClaims', () => {
  it.each([
    [{ kind: 'all' }, ['secrets Accepted', 'deployments Accepted']],
    [{ kind: 'none' }, ['secrets Rejected', 'deployments Rejected']],
    [list({ secrets: true, 'deployments.apps': false }), ['secrets Accepted', 'deployments Rejected']],
  ] as const)('follows %j', async (policy, outcome) => {
    expect(await states(policy, [secrets, apps])).toEqual(outcome);
  });

  it('asks about each claim, in order', async () => {
    const asked: string[] = [];
    const ask = async (text: readonly string[]) => asked.push(text[0] ?? '') === 1;

    expect(await states({ kind: 'ask', ask }, [secrets, apps])).toEqual(['secrets Accepted', 'deployments Rejected']);
    expect(asked).toEqual([expect.stringContaining('secrets'), expect.stringContaining('deployments')]);
  });

  it('asks nobody when there is nothing to decide', async () => {
    expect(await states({ kind: 'nobody' }, [])).toEqual([]);
  });

  it.each([
    ['nobody is there', { kind: 'nobody' }, 'KLUTCH_CLAIM_UNDECIDED'],
    ['a list leaves it out', list({ configmaps: true }), 'KLUTCH_CLAIM_UNDECIDED'],
    ['CLI-20 a required one is rejected', { kind: 'none' }, 'KLUTCH_CLAIM_REJECTED'],
  ] as const)('fails when %s', async (_, policy, code) => {
    expect(await codeOf(states(policy, [{ ...secrets, required: true }]))).toBe(code);
  });

  it('keeps what was decided before, also about claims that are gone, unless told otherwise', async () => {
    const before = [
      { ...apps, state: 'Accepted' as const },
      { ...secrets, state: 'Rejected' as const },
    ];

    expect(await states({ kind: 'nobody' }, [secrets], before)).toEqual(['deployments Accepted', 'secrets Rejected']);
    expect(await states({ kind: 'all' }, [secrets], before)).toEqual(['deployments Accepted', 'secrets Accepted']);
    expect(await states(list({}), [secrets], before)).toEqual(['deployments Accepted', 'secrets Rejected']);
  });

  it('asks anew when a claim wants something else than before', async () => {
    const before = [{ ...secrets, state: 'Accepted' as const }];
    const wider = { ...secrets, selector: { owner: 'Consumer' as const } };

    expect(await codeOf(states({ kind: 'nobody' }, [wider], before))).toBe('KLUTCH_CLAIM_UNDECIDED');
  });
});
