import { beforeEach, describe, expect, it } from 'vitest';
import { parseListOptions } from '../list/index.ts';
import { openStore } from '../storage/index.ts';
import type { Store } from '../storage/types.ts';
import { startOf } from './start.ts';

const type = { namespaced: true, builtIn: true, selectableFields: {} };
let store: Store;

const start = (query: string, since?: number) =>
  startOf(store, parseListOptions(new URLSearchParams(`watch=1&${query}`), type), since);

/** Revisions 2 to 6. */
beforeEach(async () => {
  store = await openStore();
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await store.commit({ bucket: '/x', key: `/${name}`, object: { apiVersion: 'v1', kind: 'X', metadata: { name } } });
  }
});

const tooOld = (version: number, oldest: number) => ({
  kind: 'error',
  error: { code: 410, reason: 'Expired', message: `too old resource version: ${version} (${oldest})` },
});

describe('a watch begins', () => {
  it('with the state there is, when it names no version', () => {
    expect(start('')).toEqual({ kind: 'state', revision: store.durableRevision });
  });

  it('with the events after the version that it names', () => {
    expect(start('resourceVersion=3')).toEqual({ kind: 'events', revision: 3 });
  });

  it('with an error when its version is forgotten', () => {
    store.compact(4);

    expect(start('resourceVersion=3')).toMatchObject(tooOld(3, 4));
    expect(start('resourceVersion=4')).toEqual({ kind: 'events', revision: 4 });
  });

  it('with an error when its version is from before there was anything of the kind', () => {
    expect(start('resourceVersion=3', 5)).toMatchObject(tooOld(3, 5));
    expect(start('resourceVersion=5', 5)).toEqual({ kind: 'events', revision: 5 });
  });

  it('with an error when its version is still to come', () => {
    const query = 'resourceVersion=99&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

    expect(start(query)).toMatchObject({ kind: 'error', error: { code: 504 } });
  });
});
