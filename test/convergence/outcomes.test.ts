import { describe, expect, it } from 'vitest';
import { type Answer, isAmong, type Outcome, outcomesAfter, type Shown, type Write } from './outcomes.ts';

const one = { uid: 'a', content: 1 };
const create: Write<number> = { do: 'create', content: 5 };
const double: Write<number> = { do: 'change', change: (content) => content * 2 };
const remove: Write<number> = { do: 'delete' };
const lost: Answer<number> = { is: 'lost' };
const notFound: Answer<number> = { is: 'notFound' };
const done = (shown?: Partial<Shown<number>>): Answer<number> => ({
  is: 'done',
  shown: shown && { uid: 'a', content: 1, isEnding: false, ...shown },
});

type Row = readonly [string, readonly Outcome<number>[], Write<number>, Answer<number>, readonly Outcome<number>[]];

const rows: readonly Row[] = [
  ['a creation', ['absent'], create, done({ content: 5 }), [{ uid: 'a', content: 5 }]],
  ['a change', [one], double, done({ content: 2 }), [{ uid: 'a', content: 2 }]],
  ['a deletion', [one], remove, done(), ['absent']],
  ['a second deletion', ['absent'], remove, done(), ['absent']],
  ['a refusal', [one], double, { is: 'refused' }, [one]],
  ['a creation while a finalizer holds the former', ['absent'], create, { is: 'refused' }, ['absent']],
  ['a change while a finalizer holds it', ['absent'], double, done({ isEnding: true }), ['absent']],
  ['a change of nothing', ['absent'], double, notFound, ['absent']],
  ['a creation whose answer is lost', ['absent'], create, lost, ['absent', { uid: undefined, content: 5 }]],
  ['a creation over another whose answer is lost', [one], create, lost, [one]],
  ['a change whose answer is lost', [one], double, lost, [one, { uid: 'a', content: 2 }]],
  ['a change of nothing whose answer is lost', ['absent'], double, lost, ['absent']],
  ['a deletion whose answer is lost', [one], remove, lost, [one, 'absent']],
  ['an answer that decides', [one, { uid: 'a', content: 2 }], double, done({ content: 4 }), [{ uid: 'a', content: 4 }]],
  [
    'an answer that tells the UID',
    [{ uid: undefined, content: 1 }, 'absent'],
    double,
    done({ content: 2 }),
    [{ uid: 'a', content: 2 }],
  ],
  ['NotFound that decides', [one, 'absent'], double, notFound, ['absent']],
];

const foreign: readonly (readonly [string, readonly Outcome<number>[], Write<number>, Answer<number>])[] = [
  ['somebody else changed it', [one], double, done({ content: 8 })],
  ['somebody else deleted it', [one], double, notFound],
  ['somebody else is deleting it', [one], double, done({ content: 2, isEnding: true })],
  ['somebody else made it again after its deletion', ['absent'], double, done({ content: 2 })],
  ['somebody else deleted it and made it again', [one], double, done({ uid: 'b', content: 2 })],
  ['somebody else deleted it before a creation', [one], create, done({ uid: 'b', content: 5 })],
];

describe('outcomes of writes', () => {
  it.each(rows)('after %s', (_, before, write, answer, after) => {
    expect(outcomesAfter(before, write, answer)).toEqual(after);
  });

  it.each(foreign)('cannot be explained when %s', (_, before, write, answer) => {
    expect(outcomesAfter(before, write, answer)).toEqual([]);
  });

  it('are held against what is there', () => {
    const shown = { ...one, isEnding: false };
    expect(isAmong([one], shown)).toBe(true);
    expect(isAmong(['absent', { uid: undefined, content: 1 }], shown)).toBe(true);
    expect(isAmong(['absent'], undefined)).toBe(true);
    expect(isAmong(['absent'], shown)).toBe(false);
    expect(isAmong([one], undefined)).toBe(false);
    expect(isAmong([one], { ...shown, content: 2 })).toBe(false);
    expect(isAmong([one], { ...shown, uid: 'b' })).toBe(false);
    expect(isAmong([one, 'absent'], { ...shown, isEnding: true })).toBe(false);
  });
});
