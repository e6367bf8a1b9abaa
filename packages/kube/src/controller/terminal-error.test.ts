import { describe, expect, it } from 'vitest';
import { isTerminalError, TerminalError } from './terminal-error.ts';

describe('terminal error', () => {
  it('keeps message and cause', () => {
    const cause = new Error('quota exceeded');
    const error = new TerminalError('the plan does not exist', { cause });

    expect(error).toMatchObject({ name: 'TerminalError', message: 'the plan does not exist', cause });
    expect(isTerminalError(error)).toBe(true);
  });

  it('is recognised when another copy of the package made it', () => {
    const foreign = Object.assign(new Error('no'), { [Symbol.for('klutch.kube.terminal-error')]: true });

    expect(isTerminalError(foreign)).toBe(true);
  });

  it.each([new Error('plain'), 'text', undefined, null, 7, {}])('is not %s', (value) => {
    expect(isTerminalError(value)).toBe(false);
  });
});
