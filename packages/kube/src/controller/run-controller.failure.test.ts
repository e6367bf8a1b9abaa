import { describe, expect, it } from 'vitest';
import { KubeError } from '../errors/kube-error.ts';
import { abortable, heldReconcile, setup } from './controller.fixture.ts';
import { TerminalError } from './terminal-error.ts';

describe('failing', () => {
  it('tries again after growing waits, tells which attempt it is, and starts over after a success', async () => {
    const attempts: string[] = [];
    const { clock, controller } = setup({
      reconcile: async (_key, { attempt }) => {
        attempts.push(`${attempt} at ${clock.now()}`);
        if (attempts.length < 4 || attempts.length === 5) throw new Error('not yet');
      },
    });
    controller.enqueue('a');
    await clock.advance(1_000);
    controller.enqueue('a');
    await clock.advance(100);

    expect(attempts).toEqual(['1 at 0', '2 at 100', '3 at 300', '4 at 700', '1 at 1000', '2 at 1100']);
  });

  it.each([
    [
      'throws before it returns a promise',
      () => {
        throw new Error('at once');
      },
    ],
    ['throws a text', () => Promise.reject('a text')],
    ['throws nothing', () => Promise.reject(undefined)],
  ])('survives a reconcile that %s', async (_what, reconcile) => {
    const { clock, controller, lines, outcomes } = setup({ reconcile });
    controller.enqueue('a');

    await clock.advance(100);
    expect(outcomes).toEqual(['test error', 'test error']);
    expect(lines.find((line) => line.level === 'error')?.fields['err']).toBeInstanceOf(Error);
  });

  it('does not try again after a terminal error until a source says so', async () => {
    let calls = 0;
    const { clock, controller, lines, outcomes } = setup({
      reconcile: () => {
        calls += 1;
        throw new TerminalError('no such plan');
      },
    });
    controller.enqueue('a');

    await clock.advance(600_000);
    expect(calls).toBe(1);
    expect(outcomes).toEqual(['test terminal']);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', message: 'reconcile failed for good' }));
    controller.enqueue('a');
    await clock.advance(0);
    expect(calls).toBe(2);
  });

  it('logs a conflict for those who look closely only', async () => {
    const { clock, controller, lines } = setup({
      reconcile: () => {
        throw new KubeError('KUBE_CONFLICT', 'the object has been modified');
      },
    });
    controller.enqueue('a');

    await clock.advance(0);
    expect(lines.filter((line) => line.level === 'error')).toEqual([]);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'debug' }));
  });

  it('names controller, key and reconcile in its lines and in those of the reconcile', async () => {
    const { clock, controller, lines } = setup({
      reconcile: (_key, { log, reconcileId }) => {
        log.warn({ mine: reconcileId }, 'from inside');
        throw new Error('no');
      },
    });
    controller.enqueue('team-a/db');

    await clock.advance(0);
    const own = lines.find((line) => line.message === 'from inside');
    const failure = lines.find((line) => line.level === 'error');
    expect(own?.fields).toMatchObject({ controller: 'test', key: 'team-a/db', reconcileId: own?.fields['mine'] });
    expect(failure?.fields).toMatchObject({ controller: 'test', key: 'team-a/db', reconcileId: own?.fields['mine'] });
  });
});

describe('taking too long', () => {
  it('aborts the reconcile after its time and tries again', async () => {
    const { clock, controller, outcomes } = setup({
      timeoutMs: 1_000,
      reconcile: (_key, { signal }) => abortable(signal),
    });
    controller.enqueue('a');

    await clock.advance(999);
    expect(outcomes).toEqual([]);
    await clock.advance(1);
    expect(outcomes).toEqual(['test timeout']);
    await clock.advance(1_100);
    expect(outcomes).toEqual(['test timeout', 'test timeout']);
  });

  it('leaves one behind that ignores its signal: others go on, its own key waits until it ends', async () => {
    const { calls, reconcile } = heldReconcile();
    const { clock, controller, lines } = setup({ timeoutMs: 1_000, patienceMs: 500, reconcile });
    controller.enqueue('stuck');
    controller.enqueue('other');
    await clock.advance(0);
    controller.enqueue('stuck');

    await clock.advance(1_500);
    expect(calls.map((call) => call.key)).toEqual(['stuck', 'other']);
    expect(lines.map((line) => line.message)).toContain('reconcile ignores its signal and is left behind');
    calls[1]?.finish();
    calls[0]?.finish();
    await clock.advance(0);
    expect(calls.map((call) => call.key)).toEqual(['stuck', 'other', 'stuck']);
  });

  it('does not call a reconcile left behind that ends when told to', async () => {
    const { clock, controller, lines } = setup({
      timeoutMs: 1_000,
      patienceMs: 500,
      reconcile: (_key, { signal }) => abortable(signal),
    });
    controller.enqueue('a');

    await clock.advance(60_000);
    expect(lines.map((line) => line.message)).not.toContain('reconcile ignores its signal and is left behind');
  });
});
