import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { inputFrom } from './input.ts';

describe('input', () => {
  it('CLI-21 yields line after line, however they arrive', async () => {
    const input = inputFrom(Readable.from(['y\nn', 'o\r\n', 'last']));

    expect([await input.line(), await input.line(), await input.line(), await input.line()]).toEqual([
      'y',
      'no',
      'last',
      undefined,
    ]);
  });

  it('keeps what was typed ahead', async () => {
    const input = inputFrom(Readable.from(['a\nb\nc\n']));

    expect([await input.line(), await input.rest(), await input.line()]).toEqual(['a', 'b\nc\n', undefined]);
  });

  it('has nothing where nothing is', async () => {
    expect(await inputFrom(Readable.from([])).rest()).toBe('');
  });

  it('stops waiting when the user interrupts, without losing a later line', async () => {
    const stream = new PassThrough();
    const input = inputFrom(stream);
    const interruption = new AbortController();
    const waiting = input.line(interruption.signal);

    interruption.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
    stream.write('next\n');

    expect(await input.line()).toBe('next');
    input.close();
    expect(await input.line()).toBeUndefined();
  });

  it('reads nothing before it is asked', async () => {
    const stream = new PassThrough();
    const input = inputFrom(stream);
    stream.write('a\n');

    expect(stream.readableFlowing).toBeNull();
    expect(await input.line()).toBe('a');
    input.close();
  });

  it('knows whether somebody types', () => {
    expect(inputFrom(Object.assign(new PassThrough(), { isTTY: true })).isTyped).toBe(true);
    expect(inputFrom(new PassThrough()).isTyped).toBe(false);
  });
});
