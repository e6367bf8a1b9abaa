import { describe, expect, it } from 'vitest';
import { createRounds } from './rounds.ts';

const { signal } = new AbortController();

/** What has become of a promise by now. */
function watch(promise: Promise<void>) {
  const seen = { state: 'waiting' };
  promise.then(
    () => (seen.state = 'served'),
    (error: unknown) => (seen.state = String(error)),
  );
  return seen;
}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('rounds', () => {
  it('serve those who asked before they began, and end early for those who ask later', async () => {
    const rounds = createRounds();
    const early = watch(rounds.request());
    const first = rounds.begin(signal);
    expect(first.isWanted).toBe(true);
    const late = watch(rounds.request());
    expect(first.round.isOver).toBe(true);
    rounds.done();
    await settle();
    expect([early.state, late.state]).toEqual(['served', 'waiting']);

    expect(rounds.begin(signal).isWanted).toBe(true);
    rounds.done();
    await settle();
    expect(late.state).toBe('served');
    expect(rounds.begin(signal)).toMatchObject({ isWanted: false, round: { isOver: false } });
  });

  it('leave those who wait to the next one when nothing was done', async () => {
    const rounds = createRounds();
    const asked = watch(rounds.request());
    rounds.begin(signal);
    expect(rounds.begin(signal).isWanted).toBe(true);
    rounds.done();
    await settle();
    expect(asked.state).toBe('served');
  });

  it('refuse everybody when there are no more', async () => {
    const rounds = createRounds();
    const before = watch(rounds.request());
    rounds.end('over');
    const after = watch(rounds.request());
    await settle();
    expect([before.state, after.state]).toEqual(['over', 'over']);
  });
});
