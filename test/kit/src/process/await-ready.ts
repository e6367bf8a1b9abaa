import { eventually } from '../eventually.ts';
import { KitError } from '../kit-error.ts';
import type { Component } from './component.ts';
import { logTail } from './log-tail.ts';

/**
 * Waits until `isReady` says so. When the component ends first or takes longer than `timeoutMs`, it is killed and the
 * promise rejects with an error that shows the end of its log and where the rest is.
 */
export async function awaitReady(
  component: Component,
  isReady: () => Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  const ended = new AbortController();
  void component.exited.then(() => ended.abort());
  try {
    await eventually(isReady, {
      what: `${component.name} is ready`,
      withinMs: timeoutMs,
      everyMs: 25,
      signal: ended.signal,
    });
  } catch (cause) {
    const failure = await startFailure(component, cause);
    await component.kill();
    throw failure;
  }
}

async function startFailure(component: Component, cause: unknown): Promise<KitError> {
  const isRunning = component.isRunning();
  const what = isRunning ? 'did not become ready' : 'ended before it was ready';
  const tail = await logTail(component.logFile);
  return new KitError(
    'KLUTCH_KIT_START_FAILED',
    `${component.name} ${what}. The end of its log (${component.logFile}):\n${tail}`,
    // When the component has ended, its log says why; that we stopped waiting explains nothing.
    isRunning ? { cause } : undefined,
  );
}
