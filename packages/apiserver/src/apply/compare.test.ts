import { describe, expect, it } from 'vitest';

import type { Json } from '../objects/api-object.ts';
import { compare } from './compare.ts';
import { pathsOf, sampleType } from './sample-kind.ts';

interface Case {
  readonly name: string;
  readonly before: Json;
  readonly after: Json;
  readonly removed?: string[];
  readonly modified?: string[];
  readonly added?: string[];
}

describe('compare', () => {
  it.each<Case>([
    { name: 'nothing changed', before: { size: 1, free: { a: [1] } }, after: { free: { a: [1] }, size: 1 } },
    { name: 'a scalar changed', before: { size: 1 }, after: { size: 2 }, modified: ['.spec.size'] },
    { name: 'a scalar became null', before: { text: 'x' }, after: { text: null }, modified: ['.spec.text'] },
    { name: 'a field came', before: {}, after: { size: 1 }, added: ['.spec.size'] },
    { name: 'a field went', before: { size: 1, text: 'x' }, after: { size: 1 }, removed: ['.spec.text'] },
    {
      name: 'an object came with all that is in it',
      before: {},
      after: { nested: { deeper: { b: 'x' } } },
      added: ['.spec.nested', '.spec.nested.deeper', '.spec.nested.deeper.b'],
    },
    {
      name: 'an object went with all that was in it',
      before: { settings: { a: '1' }, size: 1 },
      after: { size: 1 },
      removed: ['.spec.settings', '.spec.settings.a'],
    },
    {
      name: 'an object was emptied',
      before: { settings: { a: '1' } },
      after: { settings: {} },
      removed: ['.spec.settings.a'],
    },
    {
      name: 'an empty object was filled',
      before: { settings: {} },
      after: { settings: { a: '1' } },
      added: ['.spec.settings.a'],
    },
    { name: 'an empty object came', before: {}, after: { settings: {} }, added: ['.spec.settings'] },
    {
      name: 'an empty object became null',
      before: { settings: {} },
      after: { settings: null },
      modified: ['.spec.settings'],
    },
    {
      name: 'an object became null: only its content goes',
      before: { settings: { a: '1' } },
      after: { settings: null },
      removed: ['.spec.settings.a'],
    },
    {
      name: 'an atomic list changed',
      before: { list: ['a', 'b'] },
      after: { list: ['b', 'a'] },
      modified: ['.spec.list'],
    },
    { name: 'a set in another order', before: { set: ['a', 'b'] }, after: { set: ['b', 'a'] } },
    {
      name: 'items of a set came and went',
      before: { set: ['a', 'b'] },
      after: { set: ['b', 'c'] },
      removed: ['.spec.set[="a"]'],
      added: ['.spec.set[="c"]'],
    },
    {
      name: 'items with keys',
      before: { ports: [{ port: 80, name: 'a' }, { port: 81 }] },
      after: { ports: [{ port: 82 }, { protocol: 'TCP', port: 80, name: 'b' }] },
      removed: ['.spec.ports[port=81,protocol="TCP"]', '.spec.ports[port=81,protocol="TCP"].port'],
      modified: ['.spec.ports[port=80,protocol="TCP"].name'],
      added: [
        '.spec.ports[port=82,protocol="TCP"]',
        '.spec.ports[port=80,protocol="TCP"].protocol',
        '.spec.ports[port=82,protocol="TCP"].port',
      ],
    },
    {
      name: 'an atomic object changed',
      before: { color: { r: 1 } },
      after: { color: { r: 1, g: 2 } },
      modified: ['.spec.color'],
    },
    {
      name: 'an object where a scalar was',
      before: { anything: 'x' },
      after: { anything: { a: 1 } },
      modified: ['.spec.anything'],
      added: ['.spec.anything.a'],
    },
    {
      name: 'a scalar where an object was',
      before: { anything: { a: 1 } },
      after: { anything: 'x' },
      modified: ['.spec.anything'],
      removed: ['.spec.anything.a'],
    },
    {
      name: 'a list where a scalar was',
      before: { anything: 1 },
      after: { anything: [1] },
      modified: ['.spec.anything'],
    },
    {
      name: 'a field with the name of something every object has',
      before: { settings: {} },
      after: { settings: { constructor: 'x' } },
      added: ['.spec.settings.constructor'],
    },
  ])('$name', ({ before, after, removed = [], modified = [], added = [] }) => {
    expectChange(before, after, { removed, modified, added });
    // Backwards, what came goes, and what changed changes.
    expectChange(after, before, { removed: added, modified, added: removed });
  });

  it('takes items that are there twice as one', () => {
    const once = { set: ['a'] };
    const twice = { set: ['a', 'a'] };
    expectChange(once, twice, { removed: ['.spec.set[="a"]'], modified: [], added: ['.spec.set[="a"]'] });
    expectChange(twice, twice, { removed: [], modified: [], added: [] });
    const ports = (name: string) => ({
      ports: [
        { port: 1, name: 'x' },
        { port: 1, name },
      ],
    });
    const element = '.spec.ports[port=1,protocol="TCP"]';
    expectChange(ports('a'), ports('b'), { removed: [], modified: [element], added: [] });
    expectChange({ ports: [] }, ports('a'), { removed: [], modified: [], added: [element] });
    expectChange(
      ports('a'),
      { ports: [{ port: 1 }] },
      { removed: [element], modified: [], added: [element, `${element}.port`] },
    );
  });
});

function expectChange(
  before: Json,
  after: Json,
  expected: Required<Pick<Case, 'removed' | 'modified' | 'added'>>,
): void {
  const { removed, modified, added } = compare(sampleType, { spec: before }, { spec: after });
  expect({ removed: pathsOf(removed), modified: pathsOf(modified), added: pathsOf(added) }).toEqual(expected);
}
