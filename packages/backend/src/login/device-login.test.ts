import { describe, expect, it } from 'vitest';
import {
  confirm,
  type DeviceLoginState,
  type DeviceRequest,
  enter,
  outcomeFor,
  ownState,
  refuse,
} from './device-login.ts';

const request: DeviceRequest = {
  ticket: 't1',
  cluster: { id: 'c1' },
  apis: [{ group: 'example.org', resource: 'widgets' }],
  from: '192.0.2.1',
  at: '2026-01-01T00:00:00.000Z',
};
const caller = {
  kind: 'person',
  issuer: 'https://issuer',
  subject: 'alice',
  clientId: 'klutch',
  groups: [],
  displayName: 'Alice',
} as const;
const tenant = { identity: '["user"]', name: 'alice' };
const by = 'https://issuer/alice';

const entered: DeviceLoginState = { step: 'entered', by };
const presented: DeviceLoginState = { step: 'presented', by, request };
const confirmed: DeviceLoginState = { step: 'confirmed', by, request, caller, tenant };
const refused: DeviceLoginState = { step: 'refused', by, request, code: 'KLUTCH_LOGIN_DENIED', message: 'No.' };

describe('a command that asks for the outcome', () => {
  it.each([
    ['nobody has typed the code', undefined, { kind: 'wait' }],
    ['somebody has typed it', entered, { kind: 'present', next: presented }],
    ['they are looking at it', presented, { kind: 'wait' }],
    ['they have confirmed it', confirmed, { kind: 'grant', caller, tenant }],
  ])('is answered when %s', (_, state, outcome) => {
    expect(outcomeFor(state, request)).toEqual(outcome);
  });

  it('gets the reason of a refusal', () => {
    expect(() => outcomeFor(refused, request)).toThrow(
      expect.objectContaining({ code: 'KLUTCH_LOGIN_DENIED', message: 'No.' }) as Error,
    );
  });

  it.each([presented, confirmed, refused])('gets nothing of a login that another command began ($step)', (state) => {
    expect(() => outcomeFor(state, { ...request, ticket: 't2' })).toThrow(
      expect.objectContaining({ code: 'KLUTCH_SESSION_EXPIRED' }) as Error,
    );
  });
});

describe('a user code', () => {
  it.each([entered, presented, confirmed, refused])('stays with who typed it first ($step)', (state) => {
    expect(enter(state, by)).toBe(state);
    for (const take of [
      () => enter(state, 'https://issuer/mallory'),
      () => ownState(state, 'https://issuer/mallory'),
    ]) {
      expect(take).toThrow(expect.objectContaining({ code: 'KLUTCH_LOGIN_DENIED' }) as Error);
    }
  });

  it('begins with who types it', () => {
    expect(enter(undefined, by)).toEqual(entered);
  });
});

describe('a decision', () => {
  const no = { code: 'KLUTCH_LOGIN_DENIED', message: 'No.' } as const;

  it('is made about what was presented', () => {
    expect(confirm(presented, caller, tenant)).toEqual(confirmed);
    expect(refuse(presented, no)).toEqual(refused);
  });

  it.each([entered, confirmed, refused])('is made once, and not blindly ($step)', (state) => {
    for (const decide of [() => confirm(state, caller, tenant), () => refuse(state, no)]) {
      expect(decide).toThrow(expect.objectContaining({ code: 'KLUTCH_SESSION_EXPIRED' }) as Error);
    }
  });
});
