import { describe, expect, it } from 'vitest';
import { parseMark, parseStamp, renderMark, renderStamp } from './mark.ts';

describe('marks', () => {
  it('are read as they were written', () => {
    const mark = {
      epoch: 'k3J9_Q2a',
      count: 17,
      past: [
        { epoch: 'Zp-aaaaa', count: 12 },
        { epoch: 'bbbbbbbb', count: 3 },
      ],
    };
    expect(renderMark(mark)).toBe('k3J9_Q2a:17 Zp-aaaaa:12 bbbbbbbb:3');
    expect(parseMark(renderMark(mark))).toEqual(mark);
    expect(parseStamp(renderStamp(mark))).toEqual({ epoch: 'k3J9_Q2a', count: 17 });
  });

  it.each([
    undefined,
    '',
    'k3J9_Q2a',
    'k3J9_Q2a:',
    'k3J9_Q2a:-1',
    'k3J9_Q2a:1 broken',
    'short:1',
    `aaaaaaaa:${'9'.repeat(20)}`,
  ])('are nothing where they cannot be read: %s', (text) => {
    expect(parseMark(text)).toBeUndefined();
  });
});
