import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anchor, at, boundToken, offering, place, stock, tokenWith } from './credential.fixture.ts';
import { kubeconfigOf, tokenIn } from './kubeconfig.ts';
import { judgeStanding } from './standing.ts';
import type { Stock } from './stock.ts';
import { readToken } from './token.ts';

describe('a credential that is offered', () => {
  it('is fresh for the first half of its life, aging in the second, and gone after that', () => {
    const is = (seconds: number) => judgeStanding(place, stock(), at(seconds)).is;

    expect([0, 299, 300, 599, 600].map(is)).toEqual(['fresh', 'fresh', 'aging', 'aging', 'absent']);
    expect(judgeStanding(place, stock(), at(0))).toMatchObject({ renewAt: at(300), anchor: { name: 'one' } });
  });

  it('is aging when it was told to retire', () => {
    const retiring = stock({ anchors: [anchor('one', { retireAt: at(60) })] });

    expect(judgeStanding(place, retiring, at(0)).is).toBe('aging');
  });

  it.each<[string, Partial<Stock>]>([
    ['there is no Secret', { kubeconfig: undefined }],
    ['there is no account', { account: undefined }],
    ['its account was made anew', { account: { uid: 'other' } }],
    ['its anchor is gone', { anchors: [anchor('two')] }],
    ['its anchor was made anew', { anchors: [anchor('one', { uid: 'other' })] }],
    ['nobody knows how old it is', { anchors: [anchor('one', { issuedAt: undefined })] }],
    ['it is of another namespace', { kubeconfig: offering(boundToken('one', 'cluster-b')) }],
    ['it is no token of Kubernetes', { kubeconfig: offering('opaque') }],
    ['it lives on its own, as those of a Go backend', { kubeconfig: offering(tokenWith({ sub: 'x' })) }],
    ['the Secret holds something else', { kubeconfig: { ...offering('x'), data: { kubeconfig: 'bm9uc2Vuc2U=' } } }],
  ])('does not count when %s', (_, rest) => {
    expect(judgeStanding(place, stock(rest), at(0))).toEqual({ is: 'absent' });
  });
});

describe('a token', () => {
  it('tells its account, its anchor and its life', () => {
    expect(readToken(boundToken('one'))).toEqual({
      namespace: 'cluster-a',
      account: { name: 'klutch-binder', uid: 'account-uid' },
      anchor: { name: 'one', uid: 'one-uid' },
      lifetimeSeconds: 600,
    });
  });

  it('may be anything, and is then none', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((json) => `a.${Buffer.from(json).toString('base64url')}.b`),
        ),
        (text) => {
          expect(readToken(text)).toBeUndefined();
        },
      ),
    );
  });
});

describe('the kubeconfig of an app cluster', () => {
  it('has the shape that the Go backend gives it', () => {
    const text = kubeconfigOf({ server: 'https://cp.example:6443', serverName: 'api' }, 'cluster-a', 'tok');

    expect(text).toBe(
      [
        'apiVersion: v1',
        'clusters:',
        '  - cluster:',
        '      server: https://cp.example:6443',
        '      tls-server-name: api',
        '    name: default',
        'contexts:',
        '  - context:',
        '      cluster: default',
        '      namespace: cluster-a',
        '      user: default',
        '    name: default',
        'current-context: default',
        'kind: Config',
        'users:',
        '  - name: default',
        '    user:',
        '      token: tok',
        '',
      ].join('\n'),
    );
    expect(tokenIn(text)).toBe('tok');
  });

  it.each(['', 'nonsense', '{"', 'apiVersion: v1\nkind: Config\n'])('has no token when it is %j', (text) => {
    expect(tokenIn(text)).toBeUndefined();
  });
});
