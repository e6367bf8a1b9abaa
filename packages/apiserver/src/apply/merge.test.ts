import { describe, expect, it } from 'vitest';

import type { Json } from '../objects/api-object.ts';
import { merge } from './merge.ts';
import { sampleType } from './sample-kind.ts';

describe('merge', () => {
  it.each<{ name: string; live: Json; applied: Json; result: Json }>([
    { name: 'applied scalars win', live: { size: 1, text: 'x' }, applied: { size: 2 }, result: { size: 2, text: 'x' } },
    {
      name: 'objects merge',
      live: { nested: { a: '1' } },
      applied: { nested: { deeper: { b: 'x' } } },
      result: { nested: { a: '1', deeper: { b: 'x' } } },
    },
    {
      name: 'an empty object changes nothing',
      live: { nested: { a: '1' } },
      applied: { nested: {} },
      result: { nested: { a: '1' } },
    },
    {
      name: 'null changes no object that has something',
      live: { nested: { a: '1' } },
      applied: { nested: null },
      result: { nested: { a: '1' } },
    },
    {
      name: 'null replaces what is empty',
      live: { nested: {}, set: [] },
      applied: { nested: null, set: null },
      result: { nested: null, set: null },
    },
    { name: 'an empty value replaces null', live: { nested: null }, applied: { nested: {} }, result: { nested: {} } },
    { name: 'null replaces scalars', live: { text: 'x' }, applied: { text: null }, result: { text: null } },
    {
      name: 'atomic lists are replaced',
      live: { list: ['a', 'b'] },
      applied: { list: ['c'] },
      result: { list: ['c'] },
    },
    {
      name: 'atomic objects are replaced',
      live: { color: { r: 1, g: 2 } },
      applied: { color: { g: 3 } },
      result: { color: { g: 3 } },
    },
    { name: 'sets merge', live: { set: ['a', 'b'] }, applied: { set: ['c', 'b'] }, result: { set: ['a', 'c', 'b'] } },
    { name: 'an empty set changes nothing', live: { set: ['a'] }, applied: { set: [] }, result: { set: ['a'] } },
    {
      name: 'items with keys merge, also with the defaults of keys',
      live: {
        ports: [
          { port: 80, protocol: 'TCP', name: 'a', tags: ['x'] },
          { port: 53, protocol: 'UDP' },
        ],
      },
      applied: { ports: [{ port: 80, name: 'b', tags: ['y'] }, { port: 53 }] },
      result: {
        ports: [
          { port: 80, protocol: 'TCP', name: 'b', tags: ['x', 'y'] },
          { port: 53, protocol: 'UDP' },
          { port: 53 },
        ],
      },
    },
    {
      name: 'an object replaces a scalar',
      live: { anything: 1 },
      applied: { anything: { a: 1 } },
      result: { anything: { a: 1 } },
    },
    {
      name: 'a list replaces an object',
      live: { anything: { a: 1 } },
      applied: { anything: [1] },
      result: { anything: [1] },
    },
    {
      name: 'unknown objects merge',
      live: { free: { a: 1, b: { c: 1 } } },
      applied: { free: { b: { d: 2 } } },
      result: { free: { a: 1, b: { c: 1, d: 2 } } },
    },
    {
      name: 'names mean nothing special',
      live: { settings: {} },
      applied: { settings: { constructor: 'x' } },
      result: { settings: { constructor: 'x' } },
    },
  ])('$name', ({ live, applied, result }) => {
    const given = JSON.stringify([live, applied]);
    expect(merge(sampleType, { spec: live }, { spec: applied })).toEqual({ spec: result });
    expect(JSON.stringify([live, applied])).toBe(given);
  });

  it.each<{ live: string; applied: string; result: string }>([
    { live: 'abcd', applied: 'xcyaz', result: 'bxcdyaz' },
    { live: 'abc', applied: 'cba', result: 'cba' },
    { live: 'abc', applied: 'xy', result: 'abcxy' },
    { live: 'abc', applied: 'b', result: 'abc' },
    { live: 'abc', applied: 'xb', result: 'axbc' },
    { live: 'abc', applied: 'bx', result: 'abcx' },
    { live: '', applied: 'ab', result: 'ab' },
    { live: 'ab', applied: '', result: 'ab' },
    { live: 'aba', applied: 'a', result: 'ab' },
  ])('the order of $live with $applied is $result', ({ live, applied, result }) => {
    const set = (letters: string) => ({ spec: { set: letters.split('') } });
    const merged = merge(sampleType, set(live), set(applied)) as { spec: { set: string[] } };
    // All applied items in the applied order.
    expect(merged.spec.set.filter((item) => applied.includes(item)).join('')).toBe(applied);
    expect(merged.spec.set.join('')).toBe(result);
  });

  it('shares nothing with its input', () => {
    const live = { spec: { nested: { a: '1' }, free: { x: [1] } } };
    const applied = { spec: { settings: { a: '1' }, list: ['a'] } };
    const merged = merge(sampleType, live, applied) as typeof live & typeof applied;
    merged.spec.nested.a = 'changed';
    merged.spec.free.x.push(2);
    merged.spec.settings.a = 'changed';
    merged.spec.list.push('b');
    expect(live).toEqual({ spec: { nested: { a: '1' }, free: { x: [1] } } });
    expect(applied).toEqual({ spec: { settings: { a: '1' }, list: ['a'] } });
  });
});
