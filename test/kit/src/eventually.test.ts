import { describe, expect, it } from 'vitest';

import { eventually } from './eventually.ts';

describe('eventually', () => {
  it('returns the first thing observed', async () => {
    const sights = [undefined, false, 'there', 'later'] as const;
    let looks = 0;
    const seen = await eventually(() => sights[looks++], { what: 'a sight', everyMs: 1 });
    expect(seen).toBe('there');
    expect(looks).toBe(3);
  });

  it('takes zero and the empty string for something', async () => {
    expect(await eventually(() => 0, { what: 'zero' })).toBe(0);
    expect(await eventually(() => '', { what: 'nothing but a string' })).toBe('');
  });

  it('names what it waited for and keeps the last error when the deadline passes', async () => {
    const cause = new Error('connection refused');
    const wait = eventually(() => Promise.reject(cause), { what: 'server answers', withinMs: 5, everyMs: 1 });
    await expect(wait).rejects.toMatchObject({
      code: 'KLUTCH_KIT_TIMEOUT',
      message: 'not observed within 5 ms: server answers',
      cause,
    });
  });

  it('looks at least once, however short the deadline', async () => {
    expect(await eventually(() => 'there', { what: 'a sight', withinMs: 0 })).toBe('there');
  });

  it('stops at once when told to', async () => {
    const stop = new AbortController();
    const wait = eventually(() => undefined, { what: 'never', withinMs: 60_000, everyMs: 60_000, signal: stop.signal });
    stop.abort();
    await expect(wait).rejects.toThrow(/abort/i);
  });
});
