import { annotations } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { anchor, at, boundToken, lifetimeMs, offering, place, stock } from './credential.fixture.ts';
import { decide, renewalFailed, type Seen } from './decide.ts';
import { judgeStanding } from './standing.ts';
import type { Stock } from './stock.ts';

const namespace = (values: Record<string, string> = {}): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'cluster-a', annotations: values },
});

function decideAt(seconds: number, given: Partial<Stock> = {}, rest: Partial<Seen> = {}) {
  const seen = {
    namespace: namespace(),
    stock: stock(given),
    isAddressCurrent: true,
    silence: { is: 'heard' } as const,
    lifetimeMs,
    graceMs: 60_000,
    now: at(seconds),
    ...rest,
  };
  return decide({ ...seen, standing: judgeStanding(place, seen.stock, seen.now) });
}

/** The credential `two` has replaced `one`, 300 s later. */
const replaced = (one = {}): Partial<Stock> => ({
  kubeconfig: offering(boundToken('two')),
  anchors: [anchor('one', one), anchor('two', { issuedAt: at(300), expiresAt: at(900) })],
});

describe('a credential', () => {
  it('is left alone until half of its life is over', () => {
    expect(decideAt(10)).toEqual({
      renew: false,
      retire: [],
      remove: [],
      removeAccount: false,
      purge: false,
      condition: { type: 'CredentialValid', status: 'True' },
      nextMs: 290_000,
    });
  });

  it.each([
    ['half of its life is over', 300, {}],
    ['its life is over', 600, {}],
    ['there is none', 0, { kubeconfig: undefined, anchors: [] }],
  ])('BE-58 is renewed when %s', (_, seconds, given) => {
    expect(decideAt(seconds, given)).toMatchObject({ renew: true, remove: [] });
  });

  it('is offered again when the control plane is reached in another way', () => {
    expect(decideAt(10, {}, { isAddressCurrent: false }).renew).toBe(true);
  });

  it('cannot be renewed without an account', () => {
    expect(decideAt(0, { account: undefined })).toMatchObject({
      renew: false,
      condition: { status: 'False', severity: 'Error', reason: 'CredentialRenewalFailed' },
    });
  });
});

describe('a credential that was replaced', () => {
  const heard = (seconds: number) => ({ lastHeartbeat: at(seconds) });
  const due = replaced({ retireAt: at(361) });

  it('BE-58 goes on working for the time of grace', () => {
    expect(decideAt(301, replaced())).toMatchObject({
      retire: [{ name: 'one', at: at(361) }],
      remove: [],
      nextMs: 60_000,
    });
    expect(decideAt(330, due, heard(420))).toMatchObject({ retire: [], remove: [], nextMs: 31_000 });
  });

  it('goes when the konnector was heard long enough after the new one came', () => {
    expect(decideAt(361, due, heard(361)).remove).toMatchObject([{ name: 'one' }]);
  });

  it.each([
    ['was never heard', {}],
    ['was last heard before that', heard(299)],
    ['was heard so soon after that clocks may be wrong', heard(350)],
  ])('stays while a konnector that has not got the new one %s', (_, rest) => {
    expect(decideAt(361, due, rest)).toMatchObject({ remove: [], retire: [], nextMs: 60_000 });
  });

  it('goes when it is worth nothing any more, whoever was heard', () => {
    const young = { kubeconfig: offering(boundToken('two')) };
    const anchors = [anchor('one'), anchor('two', { issuedAt: at(590), expiresAt: at(1190) })];

    expect(decideAt(600, { ...young, anchors }).remove).toMatchObject([{ name: 'one' }]);
  });

  it('S-9 may be the one of a Go backend, which gets no more time than one of ours', () => {
    const legacy = { name: 'klutch-binder', uid: 'l' };
    expect(decideAt(10, { legacy }).retire).toEqual([{ name: 'klutch-binder', at: at(70) }]);
    const told = { ...legacy, retireAt: at(70) };
    expect(decideAt(71, { legacy: told }).remove).toEqual([]);
    expect(decideAt(71, { legacy: told }, heard(61)).remove).toEqual([told]);
    const long = { kubeconfig: offering(boundToken('one')), anchors: [anchor('one', { expiresAt: at(9_000) })] };
    expect(decideAt(670, { ...long, legacy: told }).remove).toEqual([told]);
  });

  it('stays as long as the new one does not work', () => {
    const broken = { ...replaced({ retireAt: at(0) }), account: { uid: 'account-uid' }, kubeconfig: undefined };

    expect(decideAt(400, broken, heard(400))).toMatchObject({ renew: true, remove: [] });
  });
});

describe('an app cluster whose access is revoked', () => {
  const revoked = { [annotations.access]: 'Revoked' };
  const given = { legacy: { name: 'klutch-binder', uid: 'l' } };

  it('BE-59 loses its account and everything that tokens hang on, and no more', () => {
    const decision = decideAt(10, given, { namespace: namespace(revoked) });

    expect(decision).toMatchObject({ renew: false, removeAccount: true, purge: false });
    expect(decision.remove.map(({ name }) => name)).toEqual(['one', 'klutch-binder']);
    expect(decision.condition).toMatchObject({ status: 'False', severity: 'Error', reason: 'AccessRevoked' });
  });

  it.each([
    ['cluster-a', true],
    ['true', false],
    ['', false],
  ])('is purged on %j: %s', (purge, is) => {
    const values = { ...revoked, [annotations.purge]: purge };

    expect(decideAt(10, given, { namespace: namespace(values) }).purge).toBe(is);
  });

  it('BE-59 is the only one that is ever purged', () => {
    expect(decideAt(10, {}, { namespace: namespace({ [annotations.purge]: 'cluster-a' }) }).purge).toBe(false);
  });
});

it.each([
  ['an error', { is: 'absent' } as const, 'Error'],
  ['a warning while the last one works', judgeStanding(place, stock(), at(310)), 'Warning'],
])('that no credential could be issued is %s', (_, standing, severity) => {
  const condition = renewalFailed({ standing }, 'Forbidden.');

  expect(condition).toMatchObject({ status: 'False', severity, reason: 'CredentialRenewalFailed' });
  expect(condition.message).toContain('Forbidden.');
});
