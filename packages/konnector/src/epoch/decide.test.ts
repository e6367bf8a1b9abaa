import { describe, expect, it } from 'vitest';
import { advanced, begun, goOn, includes, mostPast } from './decide.ts';
import type { Mark } from './mark.ts';

const first: Mark = { epoch: 'first', count: 6, past: [] };
const second: Mark = { epoch: 'second', count: 9, past: [{ epoch: 'first', count: 6 }] };

describe('a stamp is of the history that a mark tells', () => {
  it.each([
    ['taken last', 'second', 9, true],
    ['taken before', 'second', 7, true],
    ['taken in an earlier epoch', 'first', 6, true],
    ['taken after a backup that this cluster was set back to', 'second', 10, false],
    ['taken in an earlier epoch, but after a backup that this cluster was set back to', 'first', 7, false],
    ['of a twin, of another cluster, or of a konnector whose lease was lost', 'third', 1, false],
  ])('%s', (_, epoch, count, expected) => {
    expect(includes(second, { epoch, count })).toBe(expected);
  });
});

describe('a new epoch', () => {
  it('remembers the one before with its last stamp', () => {
    expect(begun(first, 'second')).toEqual({ epoch: 'second', count: 6, past: [{ epoch: 'first', count: 6 }] });
  });

  it('takes the place of one that gave no stamps, so that idle terms leave no trace', () => {
    expect(begun(begun(first, 'idle'), 'second')).toEqual(begun(first, 'second'));
    expect(begun(begun(undefined, 'idle'), 'first')).toEqual({ epoch: 'first', count: 0, past: [] });
  });

  it('forgets the oldest when there are too many', () => {
    let mark = begun(undefined, 'e0');
    for (let term = 1; term <= mostPast + 5; term++) mark = begun(advanced(mark), `e${term}`);
    expect(mark.past).toHaveLength(mostPast);
    expect(includes(mark, { epoch: 'e0', count: 1 })).toBe(false);
    expect(includes(mark, { epoch: 'e5', count: 6 })).toBe(true);
  });
});

describe('going on from a mark that is found', () => {
  const twin: Mark = { epoch: 'twin', count: 8, past: [{ epoch: 'first', count: 6 }] };
  it.each([
    ['nothing was known or found', undefined, undefined, undefined, begun(undefined, 'new'), false],
    ['found at the beginning of a term', undefined, undefined, first, begun(first, 'new'), false],
    ['as it was left', second, 'second', second, second, false],
    ['further than known, because an answer was lost', second, 'second', advanced(second), advanced(second), false],
    ['another writer went on', first, 'first', second, begun(second, 'new'), false],
    ['only read so far', second, undefined, second, begun(second, 'new'), false],
    ['set back within the epoch', advanced(second), 'second', second, begun(second, 'new'), true],
    ['set back to an earlier epoch', second, 'second', first, begun(first, 'new'), true],
    ['gone', second, 'second', undefined, begun(undefined, 'new'), true],
    ['of a twin that went on from a backup', second, 'second', twin, begun(twin, 'new'), true],
  ] as const)('%s', (_, known, own, found, mark, isSetBack) => {
    expect(goOn(known, own, found, 'new')).toEqual({ mark, isSetBack });
  });
});
