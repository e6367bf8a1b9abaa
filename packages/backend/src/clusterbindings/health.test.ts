import { describe, expect, it } from 'vitest';
import { goDurationMs } from './go-duration.ts';
import { judgeHealth } from './health.ts';

const now = new Date('2026-01-31T12:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString();
const judge = (seconds: number, heartbeatInterval: string | undefined = '5m0s') =>
  judgeHealth({ lastHeartbeatTime: ago(seconds), ...(heartbeatInterval ? { heartbeatInterval } : {}) }, now);

describe('a konnector', () => {
  it.each([0, 1, 9, 150, 300, 600, -30, -60])('BE-49 is healthy when it reported %i s ago', (seconds) => {
    expect(judge(seconds).condition).toEqual({ type: 'Healthy', status: 'True' });
  });

  it.each<[string, ReturnType<typeof judgeHealth>, string, string]>([
    ['never reported', judgeHealth(undefined, now), 'FirstHeartbeatPending', 'Info'],
    ['reports nonsense', judgeHealth({ lastHeartbeatTime: 'soon' }, now), 'FirstHeartbeatPending', 'Info'],
    ['promises nothing', judge(10, ''), 'HeartbeatIntervalMissing', 'Info'],
    ['promises to report all the time', judge(10, '0s'), 'HeartbeatIntervalMissing', 'Info'],
    ['reports from the future', judge(-61), 'HeartbeatTimeDrift', 'Warning'],
    ['is silent', judge(601), 'HeartbeatTimeout', 'Error'],
  ])('is not when it %s', (_, { condition }, reason, severity) => {
    expect(condition).toMatchObject({ type: 'Healthy', status: 'False', reason, severity });
    expect(condition.message).not.toMatch(/\d/);
  });

  it('BE-49 is looked at again when its silence would be too long, or its clock has been reached', () => {
    expect(judge(150).nextMs).toBe(451_000);
    expect(judge(600).nextMs).toBe(1_000);
    expect(judge(-100).nextMs).toBe(41_000);
    expect(judge(601).nextMs).toBeUndefined();
    expect(judgeHealth(undefined, now).nextMs).toBeUndefined();
  });

  it('is found silent when it is looked at then', () => {
    const { nextMs = 0 } = judge(150);
    const later = new Date(now.getTime() + nextMs);

    expect(judgeHealth({ lastHeartbeatTime: ago(150), heartbeatInterval: '5m0s' }, later).condition.reason).toBe(
      'HeartbeatTimeout',
    );
  });
});

describe('a duration of Go', () => {
  it.each([
    ['5m0s', 300_000],
    ['1h2m3.5s', 3_723_500],
    ['250ms', 250],
    ['1500µs', 1.5],
  ])('%s is %d ms', (text, ms) => {
    expect(goDurationMs(text)).toBeCloseTo(ms);
  });

  it.each([undefined, '', '0s', '5', '-5m', 'm5', '5m ', '5 m', '1d'])('%j is none', (text) => {
    expect(goDurationMs(text)).toBeUndefined();
  });
});
