import { describe, expect, it } from 'vitest';
import { memoryAdapters } from './memory-adapter.ts';

describe('what the issuer remembers', () => {
  it('is kept per model, until it expires or is destroyed', async () => {
    let now = 0;
    const adapters = memoryAdapters(() => now);
    const [codes, sessions] = [adapters('AuthorizationCode'), adapters('Session')];
    await codes.upsert('1', { jti: 'a' }, 10);
    await sessions.upsert('1', { jti: 'b' }, 20);
    expect(await codes.find('1')).toEqual({ jti: 'a' });
    now = 10_000;
    expect(await codes.find('1')).toBeUndefined();
    expect(await sessions.find('1')).toEqual({ jti: 'b' });
    await sessions.destroy('1');
    expect(await sessions.find('1')).toBeUndefined();
  });

  it('is found by session and by user code, but not by those of another model', async () => {
    const adapters = memoryAdapters(() => 0);
    await adapters('Session').upsert('1', { uid: 'u' }, 10);
    await adapters('DeviceCode').upsert('2', { userCode: 'ABC' }, 10);
    expect(await adapters('Session').findByUid('u')).toEqual({ uid: 'u' });
    expect(await adapters('DeviceCode').findByUid('u')).toBeUndefined();
    expect(await adapters('DeviceCode').findByUserCode('ABC')).toEqual({ userCode: 'ABC' });
  });

  it('shows that a code was used, and goes with the grant it came from', async () => {
    const codes = memoryAdapters(() => 5_000)('AuthorizationCode');
    await codes.upsert('1', { grantId: 'g' }, 10);
    await codes.upsert('2', { grantId: 'h' }, 10);
    await codes.consume('1');
    expect(await codes.find('1')).toEqual({ grantId: 'g', consumed: 5 });
    await codes.revokeByGrantId('g');
    expect(await codes.find('1')).toBeUndefined();
    expect(await codes.find('2')).toEqual({ grantId: 'h' });
  });

  it('never grows beyond its limit: what is expired goes first, then what is oldest', async () => {
    let now = 0;
    const codes = memoryAdapters(() => now)('AuthorizationCode');
    await codes.upsert('kept', {}, 1_000);
    await codes.upsert('expired', {}, 1);
    now = 2_000;
    for (let i = 0; i < 9_999; i++) await codes.upsert(String(i), {}, 1_000);
    expect(await codes.find('kept')).toEqual({});
    await codes.upsert('one more', {}, 1_000);
    expect(await codes.find('kept')).toBeUndefined();
    expect(await codes.find('one more')).toEqual({});
  });
});
