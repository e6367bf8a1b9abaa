import { describe, expect, it } from 'vitest';
import { createProgress } from './progress.ts';
import type { Reader } from './terminal.ts';

function screen(reader: Reader) {
  const told: string[] = [];
  const drawn: string[] = [];
  const draw = reader === 'program' ? undefined : (line: string) => void drawn.push(line);
  return { told, drawn, progress: createProgress({ reader, draw, tell: (line) => void told.push(line) }) };
}

describe('progress', () => {
  it('is plain lines for a program', async () => {
    const { told, progress } = screen('program');
    progress.note('one');
    progress.done('two');
    progress.warn('three');
    const outcome = await progress.during('four', async (say) => {
      say('five');
      return 6;
    });

    expect(told).toEqual(['one', 'two', 'Warning: three', 'four …']);
    expect(outcome).toBe(6);
  });

  it('moves at a screen, and leaves nothing of that', async () => {
    const { told, drawn, progress } = screen('screen');

    await progress.during('working', async (say) => say('still working'));

    expect(told).toEqual([]);
    expect(drawn.map((line) => line.slice(1))).toEqual([' working …', ' still working …', '']);
  });

  it('gives failures through, and clears the screen', async () => {
    const { drawn, progress } = screen('screen');

    await expect(progress.during('working', () => Promise.reject(new Error('it is so')))).rejects.toThrow('it is so');
    expect(drawn.at(-1)).toBe('');
  });

  it.each([
    ['coloured screen', true],
    ['screen', false],
    ['program', false],
  ] as const)('has colours only where they are wanted: %s', (reader, coloured) => {
    const { told, progress } = screen(reader);
    progress.done('done');

    // oxlint-disable-next-line no-control-regex -- that is what a colour is.
    expect(/\u001b\[/.test(told.join(''))).toBe(coloured);
  });

  it('does not let others control the terminal', () => {
    const { told, progress } = screen('program');
    progress.note('a\u001b[31mred \u202eend\u0000\nnext');

    expect(told).toEqual(['ared end\nnext']);
  });
});
