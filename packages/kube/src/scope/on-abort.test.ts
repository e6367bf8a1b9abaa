import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { onAbort } from './on-abort.ts';

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('waiting for a signal', () => {
  it('costs the signal one listener, however many wait', () => {
    const controller = new AbortController();
    const callbacks = Array.from({ length: 50 }, () => vi.fn());
    for (const callback of callbacks) onAbort(controller.signal, callback);
    expect(listenersOf(controller.signal)).toBe(1);
    controller.abort();
    for (const callback of callbacks) expect(callback).toHaveBeenCalledOnce();
    expect(listenersOf(controller.signal)).toBe(0);
  });

  it('calls back at once when the signal has aborted', () => {
    const callback = vi.fn();
    onAbort(AbortSignal.abort(), callback)();
    expect(callback).toHaveBeenCalledOnce();
  });

  it('leaves no listener behind when the last one leaves, and can be begun again', () => {
    const controller = new AbortController();
    const callback = vi.fn();
    const leave = [onAbort(controller.signal, callback), onAbort(controller.signal, callback)];
    leave[0]?.();
    expect(listenersOf(controller.signal)).toBe(1);
    leave[1]?.();
    leave[1]?.();
    expect(listenersOf(controller.signal)).toBe(0);
    onAbort(controller.signal, callback);
    leave[0]?.();
    expect(listenersOf(controller.signal)).toBe(1);
    controller.abort();
    expect(callback).toHaveBeenCalledOnce();
  });

  it('does not call one that another takes off while the signal aborts', () => {
    const controller = new AbortController();
    const callback = vi.fn();
    let leave = () => {};
    onAbort(controller.signal, () => leave());
    leave = onAbort(controller.signal, callback);
    controller.abort();
    expect(callback).not.toHaveBeenCalled();
  });
});
