import { describe, expect, it } from 'vitest';
import { KubeError } from '../errors/kube-error.ts';
import type { KubeList, UnknownObject } from '../objects/meta.ts';
import type { ResourceClient } from '../resources/types.ts';
import { listAll } from './list-all.ts';

const page = (version: number, ...names: readonly string[]): KubeList<UnknownObject> => ({
  apiVersion: 'v1',
  kind: 'ThingList',
  metadata: { resourceVersion: String(version) },
  items: names.map((name) => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name } })),
});

/** Lists from a client that gives these pages, fails after them if told so, and has one more answer for a whole list. */
async function list(pages: readonly KubeList<UnknownObject>[], failure?: KubeError, whole = page(0)) {
  const begun: { names: (string | undefined)[]; isDone: boolean }[] = [];
  const begin = () => {
    const state = { names: [] as (string | undefined)[], isDone: false };
    begun.push(state);
    return {
      put: ({ metadata }: UnknownObject) => void state.names.push(metadata.name),
      delete: () => {},
      done: () => {
        state.isDone = true;
      },
    };
  };
  const client = {
    async *pages() {
      yield* pages;
      if (failure) throw failure;
    },
    list: async () => whole,
  } as unknown as ResourceClient<UnknownObject>;
  const { state, version } = await listAll({ client }, begin, new AbortController().signal);
  state.done(version);
  return { begun, version };
}

describe('a list', () => {
  it('is told page by page, at the version of its first page', async () => {
    expect(await list([page(5, 'a', 'b'), page(6, 'c')])).toEqual({
      begun: [{ names: ['a', 'b', 'c'], isDone: true }],
      version: '5',
    });
  });

  it('is told anew when its version expires between two pages, and what was told before does not count', async () => {
    const expired = new KubeError('KUBE_GONE', 'too old');
    expect(await list([page(5, 'a', 'b')], expired, page(9, 'b', 'c'))).toEqual({
      begun: [
        { names: ['a', 'b'], isDone: false },
        { names: ['b', 'c'], isDone: true },
      ],
      version: '9',
    });
  });

  it('fails when a page fails in any other way', async () => {
    const cut = new KubeError('KUBE_UNREACHABLE', 'cut');
    await expect(list([page(5, 'a')], cut)).rejects.toBe(cut);
  });
});
