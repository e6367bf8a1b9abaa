import { describe, expect, it, vi } from 'vitest';
import { KubeError } from '../errors/kube-error.ts';
import { abortable, heldReconcile, setup } from './controller.fixture.ts';
import type { Source } from './source.ts';

describe('stopping', () => {
  it('takes no further key and lets a running reconcile end undisturbed', async () => {
    const { calls, reconcile } = heldReconcile();
    const { clock, controller, stop, isStopped } = setup({ reconcile });
    controller.enqueue('a');
    controller.enqueue('b');
    await clock.advance(0);

    stop.abort();
    await clock.advance(5_999);
    expect(calls[0]?.context.signal.aborted).toBe(false);
    expect(isStopped).not.toHaveBeenCalled();
    calls[0]?.finish();
    await controller.stopped;
    expect(calls).toHaveLength(1);
    expect(clock.timers).toBe(0);
  });

  it('aborts a reconcile after the grace and is stopped when that ends', async () => {
    const { clock, controller, outcomes, stop, isStopped } = setup({
      graceMs: 3_000,
      reconcile: (_key, { signal }) => abortable(signal),
    });
    controller.enqueue('a');
    await clock.advance(0);

    stop.abort(new Error('going down'));
    await clock.advance(2_999);
    expect(isStopped).not.toHaveBeenCalled();
    await clock.advance(1);
    await controller.stopped;
    expect(outcomes).toEqual(['test interrupted']);
  });

  it('is stopped within ten seconds even when a reconcile never ends', async () => {
    const { clock, controller, lines, stop } = setup({ reconcile: () => new Promise(() => {}) });
    controller.enqueue('a');
    await clock.advance(0);

    stop.abort();
    await clock.advance(10_000);
    await controller.stopped;
    expect(lines).toContainEqual(
      expect.objectContaining({ message: 'controller stopped', fields: { controller: 'test', leftBehind: 1 } }),
    );
  });

  it('gives no grace when leadership was lost', async () => {
    const { calls, reconcile } = heldReconcile();
    const { clock, controller, stop } = setup({ reconcile });
    controller.enqueue('a');
    await clock.advance(0);
    const loss = new KubeError('KUBE_LEADERSHIP_LOST', 'another replica leads');

    stop.abort(loss);
    expect(calls[0]?.context.signal.reason).toBe(loss);
    calls[0]?.finish();
    await controller.stopped;
  });

  it('does not begin a key that was handed over in the moment of the stop', async () => {
    const reconcile = vi.fn();
    const { clock, controller, stop } = setup({ reconcile });
    await clock.advance(0);

    controller.enqueue('a');
    stop.abort();
    await controller.stopped;
    expect(reconcile).not.toHaveBeenCalled();
  });

  it('keeps no listener on a signal that outlives it', async () => {
    const stop = new AbortController();
    const removed = vi.spyOn(stop.signal, 'removeEventListener');
    const added = vi.spyOn(stop.signal, 'addEventListener');
    const failing: Source = { start: () => Promise.reject(new Error('no')) };
    const { controller } = setup({ reconcile: () => {}, sources: [failing], signal: stop.signal });

    await expect(controller.stopped).rejects.toThrow('no');
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
    expect(added).toHaveBeenCalled();
  });
});
