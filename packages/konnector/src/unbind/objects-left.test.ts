import { describe, expect, it } from 'vitest';
import { objectsLeft } from './objects-left.ts';

describe('a binding that waits for its objects', () => {
  it.each([
    [{ count: 3, first: 'team/db' }, '3 objects of widgets.example.org still there (among them team/db);'],
    [{ count: 1, first: 'team/db' }, '1 object of widgets.example.org still there (team/db);'],
    [{ count: 2 }, '2 objects of widgets.example.org still there;'],
  ])('says how many are left: %j', (left, expected) => {
    const state = objectsLeft('widgets.example.org', left);

    expect(state).toMatchObject({ type: 'Unbound', status: 'False', severity: 'Info', reason: 'ObjectsLeft' });
    expect(state.message).toContain(expected);
  });
});
