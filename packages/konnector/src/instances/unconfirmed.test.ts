import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { createUnconfirmed } from './unconfirmed.ts';
import { trustMs } from './written.ts';

function setup() {
  const clock = createManualClock();
  const ahead = new Set<string>();
  const looked: string[] = [];
  const unconfirmed = createUnconfirmed({
    clock,
    isAhead: (key) => ahead.has(key),
    look: (key) => {
      looked.push(key);
      unconfirmed.rests(key, false);
    },
  });
  const rests = (key: string, isAhead = true) => {
    if (isAhead) ahead.add(key);
    unconfirmed.rests(key, isAhead);
  };
  return { clock, ahead, looked, unconfirmed, rests };
}

describe('keys that wait for their watches', () => {
  it('are looked at again when these never tell', async () => {
    const { clock, looked, rests } = setup();
    rests('a');
    await clock.advance(1_000);
    rests('b');
    await clock.advance(trustMs - 1_001);
    expect(looked).toEqual([]);
    await clock.advance(1);
    expect(looked).toEqual(['a']);
    await clock.advance(1_000);
    expect(looked).toEqual(['a', 'b']);
    await clock.advance(10 * trustMs);
    expect(looked).toEqual(['a', 'b']);
  });

  it('are left alone when these have told, or when they came to rest again', async () => {
    const { clock, ahead, looked, rests } = setup();
    rests('told');
    rests('again');
    rests('confirmed');
    ahead.delete('told');
    rests('confirmed', false);
    await clock.advance(trustMs - 1);
    rests('again');
    await clock.advance(2);
    expect(looked).toEqual([]);
    await clock.advance(trustMs);
    expect(looked).toEqual(['again']);
  });

  it('are forgotten at the end', async () => {
    const { clock, looked, unconfirmed, rests } = setup();
    rests('a');
    unconfirmed.stop();
    await clock.advance(10 * trustMs);
    expect(looked).toEqual([]);
  });
});
