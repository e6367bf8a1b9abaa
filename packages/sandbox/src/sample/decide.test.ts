import type { Secret } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { decide, type Seen } from './decide.ts';
import type { Greeting, GreetingStatus } from './greeting.ts';

const now = new Date('2026-01-02T03:04:05.678Z');

function greeting(changes: Partial<Greeting> = {}): Greeting {
  return {
    apiVersion: 'sandbox.klutch.io/v1',
    kind: 'Greeting',
    metadata: { namespace: 'team', name: 'ada', uid: 'u1', generation: 3 },
    spec: { to: 'Ada', language: 'de' },
    ...changes,
  };
}

const secretOf = (uid: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    namespace: 'team',
    name: 'ada-greeting',
    ownerReferences: [{ apiVersion: 'sandbox.klutch.io/v1', kind: 'Greeting', name: 'ada', uid }],
  },
});

const look = (seen: Partial<Seen> = {}) => decide({ greeting: greeting(), now, passphrase: 'open sesame', ...seen });

const readyStatus: GreetingStatus = {
  greeting: 'Hallo, Ada!',
  secretName: 'ada-greeting',
  conditions: [
    {
      type: 'Ready',
      status: 'True',
      reason: 'Greeted',
      observedGeneration: 3,
      lastTransitionTime: '2026-01-02T03:04:05Z',
    },
  ],
};

describe('what a greeting lacks', () => {
  it('is at first its Secret, and until then it is not ready', () => {
    const { create, status } = look();
    expect(create?.metadata).toMatchObject({
      namespace: 'team',
      name: 'ada-greeting',
      ownerReferences: [{ kind: 'Greeting', name: 'ada', uid: 'u1', controller: true }],
    });
    expect(Buffer.from(create?.data?.['passphrase'] ?? '', 'base64').toString()).toBe('open sesame');
    expect(status).toMatchObject({ conditions: [{ type: 'Ready', status: 'False', reason: 'SecretMissing' }] });
    expect(status).not.toHaveProperty('secretName');
  });

  it('is its status once the Secret is there', () => {
    expect(look({ secret: secretOf('u1') })).toEqual({ status: readyStatus });
  });

  it('is nothing when all is said', () => {
    const settled = greeting({ status: readyStatus });
    const later = new Date('2027-01-01T00:00:00Z');
    expect(look({ greeting: settled, secret: secretOf('u1'), now: later })).toEqual({});
  });

  it('is another greeting when the wish has changed, ready since the same time', () => {
    const changed = greeting({ status: readyStatus, spec: { to: 'Eve' } });
    const { status } = look({ greeting: changed, secret: secretOf('u1'), now: new Date('2027-01-01T00:00:00Z') });
    expect(status).toEqual({ ...readyStatus, greeting: 'Hello, Eve!' });
  });

  it('is a name of its own when somebody else has the Secret', () => {
    const { create, status } = look({ secret: secretOf('u2') });
    expect(create).toBeUndefined();
    expect(status?.conditions?.[0]).toMatchObject({ status: 'False', reason: 'SecretForeign' });
  });

  it('is nothing any more when it is being deleted', () => {
    const leaving = greeting();
    const metadata = { ...leaving.metadata, deletionTimestamp: '2026-01-02T03:04:05Z' };
    expect(look({ greeting: { ...leaving, metadata } })).toEqual({});
  });
});
