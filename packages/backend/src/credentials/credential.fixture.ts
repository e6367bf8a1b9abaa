import type { Secret } from '@klutch/kube';
import { kubeconfigOf } from './kubeconfig.ts';
import type { Holder, Place, Stock } from './stock.ts';

export const place: Place = { namespace: 'cluster-a', secret: 'kubeconfig' };
export const issuedAt = new Date('2026-01-01T00:00:00Z');
export const lifetimeMs = 600_000;

export const at = (seconds: number) => new Date(issuedAt.getTime() + seconds * 1000);

/** A token as TokenRequest issues it, with a signature that nobody checks. */
export function tokenWith(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`;
}

export function boundToken(anchor: string, namespace = 'cluster-a', accountUid = 'account-uid'): string {
  return tokenWith({
    iat: 1_000,
    exp: 1_600,
    'kubernetes.io': {
      namespace,
      serviceaccount: { name: 'klutch-binder', uid: accountUid },
      secret: { name: anchor, uid: `${anchor}-uid` },
    },
  });
}

export function anchor(name: string, rest: Partial<Holder> = {}): Holder {
  return { name, uid: `${name}-uid`, issuedAt, expiresAt: new Date(issuedAt.getTime() + lifetimeMs), ...rest };
}

export function offering(token: string): Secret {
  const text = kubeconfigOf({ server: 'https://cp.example' }, 'cluster-a', token);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'kubeconfig', namespace: 'cluster-a' },
    data: { kubeconfig: Buffer.from(text).toString('base64') },
  };
}

/** What is there right after the first credential `one` was issued. */
export function stock(rest: Partial<Stock> = {}): Stock {
  return {
    account: { uid: 'account-uid' },
    kubeconfig: offering(boundToken('one')),
    anchors: [anchor('one')],
    ...rest,
  };
}
