import { annotations } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { judgeSilence, type Silence } from './silence.ts';

const day = 86_400_000;
const start = new Date('2026-01-01T00:00:00Z');
const after = (days: number) => new Date(start.getTime() + days * day);
const heartbeat = '2031-07-07T07:07:07Z';

interface Case {
  readonly contact?: Date;
  readonly recorded?: string;
  readonly until?: Date;
  readonly days: number;
  readonly expiryDays?: number;
  readonly heartbeat?: string;
}

function judge({ contact, recorded = heartbeat, until, days, expiryDays = 90, ...rest }: Case): Silence {
  return judgeSilence({
    namespace: {
      metadata: {
        annotations: {
          ...(contact
            ? { [annotations.lastContact]: contact.toISOString(), [annotations.lastHeartbeat]: recorded }
            : {}),
          ...(until ? { [annotations.silentUntil]: until.toISOString() } : {}),
        },
      },
    },
    heartbeat: 'heartbeat' in rest ? rest.heartbeat : heartbeat,
    expiryMs: expiryDays * day,
    now: after(days),
  });
}

describe('an app cluster', () => {
  it('is recorded at first sight, also one that was never heard', () => {
    const marks = {
      [annotations.lastContact]: start.toISOString(),
      [annotations.lastHeartbeat]: '',
      [annotations.silentUntil]: null,
    };

    expect(judge({ days: 0, heartbeat: undefined })).toMatchObject({ is: 'heard', marks });
  });

  it.each<[string, Case, Silence['is'], boolean]>([
    ['heard again within a day causes no write', { contact: start, recorded: 'earlier', days: 0.9 }, 'heard', false],
    ['heard again is recorded after a day', { contact: start, recorded: 'earlier', days: 1 }, 'heard', true],
    ['silent for most of the time causes no write', { contact: start, days: 71.9 }, 'heard', false],
    ['silent for four fifths of the time is warned', { contact: start, days: 72 }, 'warned', true],
    ['is warned once', { contact: start, until: after(90), days: 80 }, 'warned', false],
    ['has expired when its time is over', { contact: start, until: after(90), days: 90 }, 'over', false],
    ['is never ended without a warning', { contact: start, days: 400 }, 'warned', true],
    [
      'that comes back late is heard at once',
      { contact: start, recorded: 'earlier', until: after(90), days: 91 },
      'heard',
      true,
    ],
    [
      'never heard of expires, too',
      { contact: start, recorded: '', heartbeat: undefined, until: after(90), days: 90 },
      'over',
      false,
    ],
    ['is warned a day before at least', { contact: start, days: 1, expiryDays: 2 }, 'warned', true],
    ['never expires where expiry is off', { contact: start, days: 4_000, expiryDays: 0 }, 'heard', false],
  ])('%s', (_, seen, is, writes) => {
    const verdict = judge(seen);

    expect(verdict.is).toBe(is);
    expect(verdict.marks !== undefined).toBe(writes);
  });

  it('says when access ends, and what to do', () => {
    const { condition, marks } = judge({ contact: start, days: 72 });

    expect(condition).toMatchObject({ status: 'False', severity: 'Warning', reason: 'AppClusterSilent' });
    expect(condition?.message).toContain('since 2026-01-01. Its access ends on 2026-04-01');
    expect(marks).toEqual({ [annotations.silentUntil]: after(90).toISOString() });
  });

  it('has all of the warning before it, when the backend was away meanwhile', () => {
    expect(judge({ contact: start, days: 400 }).marks).toEqual({ [annotations.silentUntil]: after(418).toISOString() });
  });

  it('is looked at again when something may have changed', () => {
    expect(judge({ contact: start, days: 71.5 }).nextMs).toBe(0.5 * day);
    expect(judge({ contact: start, days: 10 }).nextMs).toBe(day);
    expect(judge({ contact: start, days: 10, expiryDays: 0 }).nextMs).toBeUndefined();
  });
});
