import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import type { StatusError } from '../status/status-error.ts';
import { openStore, type Store } from '../storage/index.ts';
import { parseListOptions } from './list-options.ts';
import { type Listed, listPage, type ListPage } from './list-page.ts';
import { requireVersionOfGet } from './resource-version.ts';

const BUCKET = '/configmaps';
const type = { namespaced: true, builtIn: true, selectableFields: {} };
const inDefault: Listed = { bucket: BUCKET, namespaced: true, namespace: 'default' };

const object = (name: string, labels: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
});

function page(store: Store, query: string, listed: Listed = inDefault): ListPage {
  return listPage(store, listed, parseListOptions(new URLSearchParams(query), type));
}

function refusal(store: Store, query: string): StatusError {
  try {
    page(store, query);
  } catch (error) {
    return error as StatusError;
  }
  throw new Error(`${query} was accepted`);
}

const namesOf = ({ entries }: ListPage) => entries.map(({ key }) => key.slice(key.indexOf('/') + 1)).join(' ');
const token = (content: unknown) =>
  Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)).toString('base64url');
const readable = (text: string | undefined) =>
  text === undefined ? undefined : JSON.parse(Buffer.from(text, 'base64url').toString());

/** Revisions 2 to 6 create c0 to c4, even and odd by turns; 7 makes c1 even; the store is at 9. */
async function storeWithHistory(): Promise<Store> {
  const store = await openStore();
  for (let index = 0; index < 5; index += 1) {
    const labels = { p: index % 2 ? 'odd' : 'even' };
    await store.commit({ bucket: BUCKET, key: `default/c${index}`, object: object(`c${index}`, labels) });
  }
  await store.commit({ bucket: BUCKET, key: 'default/c1', object: object('c1', { p: 'even' }) });
  await store.commit({ bucket: BUCKET, key: 'other/c1', object: object('c1', {}) });
  await store.commit({ bucket: '/nodes', key: '/n1', object: object('n1', {}) });
  return store;
}

describe('a list', () => {
  let store: Store;
  beforeAll(async () => {
    store = await storeWithHistory();
  });

  it.each([
    ['', 'c0 c1 c2 c3 c4', 9],
    ['limit=-1', 'c0 c1 c2 c3 c4', 9],
    ['resourceVersion=0', 'c0 c1 c2 c3 c4', 9],
    ['resourceVersion=0&limit=2', 'c0 c1 c2 c3 c4', 9],
    ['resourceVersion=4', 'c0 c1 c2 c3 c4', 9],
    ['resourceVersion=4&resourceVersionMatch=NotOlderThan', 'c0 c1 c2 c3 c4', 9],
    ['resourceVersion=0&resourceVersionMatch=NotOlderThan&limit=2', 'c0 c1 c2 c3 c4', 9],
    ['resourceVersion=4&resourceVersionMatch=Exact', 'c0 c1 c2', 4],
    ['labelSelector=p%3Dodd', 'c3', 9],
    ['labelSelector=p%3Dodd&resourceVersion=6&resourceVersionMatch=Exact', 'c1 c3', 6],
    ['fieldSelector=metadata.name%3Dc1&limit=1', 'c1', 9],
    ['fieldSelector=metadata.name%3Dc1,metadata.namespace%3Dother', '', 9],
    ['fieldSelector=metadata.name%3Dc', '', 9],
    ['fieldSelector=metadata.name%21%3Dc1&labelSelector=p%3Deven', 'c0 c2 c4', 9],
  ])('for %j has %j of revision %i on one page', (query, names, revision) => {
    const result = page(store, query);

    expect(namesOf(result)).toBe(names);
    expect(result.revision).toBe(revision);
    expect(result.continueToken).toBeUndefined();
    expect(result.remainingItemCount).toBeUndefined();
  });

  it.each([
    ['limit=2', 'c0 c1', { rv: 9, start: '/c1\0' }, 3],
    ['limit=4', 'c0 c1 c2 c3', { rv: 9, start: '/c3\0' }, 1],
    ['resourceVersion=4&limit=2', 'c0 c1', { rv: 4, start: '/c1\0' }, 1],
    ['resourceVersion=4&resourceVersionMatch=Exact&limit=1', 'c0', { rv: 4, start: '/c0\0' }, 2],
    ['resourceVersion=4&resourceVersionMatch=NotOlderThan&limit=2', 'c0 c1', { rv: 9, start: '/c1\0' }, 3],
    ['limit=1&labelSelector=p%3Dodd', 'c3', { rv: 9, start: '/c3\0' }, undefined],
    ['limit=3&labelSelector=p%3Deven', 'c0 c1 c2', { rv: 9, start: '/c2\0' }, undefined],
    ['limit=1&fieldSelector=metadata.name%21%3Dc0', 'c1', { rv: 9, start: '/c1\0' }, undefined],
  ])('for %j starts with %j and tells how to go on', (query, names, next, remaining) => {
    const result = page(store, query);

    expect(namesOf(result)).toBe(names);
    expect(readable(result.continueToken)).toEqual({ v: 'meta.k8s.io/v1', ...next });
    expect(result.remainingItemCount).toBe(remaining);
  });

  it.each(['limit=5', 'limit=7', 'limit=4&labelSelector=p%3Deven', 'limit=2&labelSelector=p%3Dodd'])(
    'for %j ends where there is nothing more',
    (query) => {
      expect(page(store, query).continueToken).toBeUndefined();
    },
  );

  it('goes on from a token, with or without a limit', () => {
    const next = page(store, 'limit=2').continueToken ?? '';

    expect(namesOf(page(store, `limit=2&continue=${next}`))).toBe('c2 c3');
    expect(namesOf(page(store, `continue=${next}`))).toBe('c2 c3 c4');
    expect(namesOf(page(store, `limit=2&continue=${next}&resourceVersion=0`))).toBe('c2 c3 c4');
  });

  it('takes a token that names the next object itself, or the latest state', () => {
    const at = (rv: number, start: string) => `continue=${token({ v: 'meta.k8s.io/v1', rv, start })}`;

    expect(namesOf(page(store, at(9, 'c1')))).toBe('c1 c2 c3 c4');
    expect(namesOf(page(store, at(9, '/')))).toBe('c0 c1 c2 c3 c4');
    expect(namesOf(page(store, at(4, '/c1')))).toBe('c1 c2');
    expect(page(store, at(-1, 'c1'))).toMatchObject({ revision: 9 });
  });

  it('of all namespaces, or of a type without, has tokens of its own', () => {
    const all = page(store, 'limit=5', { bucket: BUCKET, namespaced: true });
    expect(readable(all.continueToken)).toMatchObject({ start: '/default/c4\0' });
    const rest = page(store, `continue=${all.continueToken}`, { bucket: BUCKET, namespaced: true });
    expect(rest.entries.map(({ key }) => key)).toEqual(['other/c1']);

    const nodes = { bucket: '/nodes', namespaced: false };
    expect(namesOf(page(store, '', nodes))).toBe('n1');
    expect(namesOf(page(store, 'fieldSelector=metadata.name%3Dn1', nodes))).toBe('n1');
    expect(namesOf(page(store, `continue=${token({ v: 'meta.k8s.io/v1', rv: 9, start: '/n0' })}`, nodes))).toBe('n1');
  });

  it('cannot be led out of its namespace by a token', () => {
    expect(refusal(store, `continue=${token({ v: 'meta.k8s.io/v1', rv: 9, start: '../other/c0' })}`).code).toBe(400);
    const beyond = `continue=${token({ v: 'meta.k8s.io/v1', rv: 9, start: 'z' })}`;
    expect(namesOf(page(store, beyond))).toBe('');
  });

  it('shows only what is safe', async () => {
    const held = await openStore();
    const written = held.commit({ bucket: BUCKET, key: 'default/a', object: object('a', {}) });

    expect(page(held, '')).toMatchObject({ revision: 1, entries: [] });
    await written;
    expect(page(held, '')).toMatchObject({ revision: 2, entries: [{ key: 'default/a' }] });
  });
});

describe('a list that Kubernetes refuses', () => {
  let store: Store;
  beforeAll(async () => {
    store = await storeWithHistory();
    store.compact(5);
  });

  const good = token({ v: 'meta.k8s.io/v1', rv: 9, start: 'c1' });
  const prefix = 'invalid continue token: continue key is not valid';
  const notANumber = 'invalid resource version: resourceVersion: Invalid value:';

  it.each([
    ['continue=bogus!', `${prefix}: illegal base64 data at input byte 5`],
    ['continue=bogus', `${prefix}: illegal base64 data at input byte 4`],
    ['continue=YQ', `${prefix}: invalid character 'a' looking for beginning of value`],
    [`continue=${token('{"v":"meta.k8s.io/v1"')}`, `${prefix}: unexpected end of JSON input`],
    [`continue=${token([])}`, `${prefix}: json: cannot unmarshal array into Go value of type storage.continueToken`],
    [`continue=${token({})}`, `${prefix}: server does not recognize this encoded version `],
    [`continue=${token('null')}`, `${prefix}: server does not recognize this encoded version `],
    [
      `continue=${token({ v: 'meta.k8s.io/v2', rv: 5, start: 'c1' })}`,
      `${prefix}: server does not recognize this encoded version meta.k8s.io/v2`,
    ],
    [
      `continue=${token({ v: 'meta.k8s.io/v1', rv: 0, start: 'c1' })}`,
      `${prefix}: incorrect encoded start resourceVersion (version meta.k8s.io/v1)`,
    ],
    [
      `continue=${token({ v: 'meta.k8s.io/v1', rv: 5, start: '' })}`,
      `${prefix}: encoded start key empty (version meta.k8s.io/v1)`,
    ],
    [`continue=${token({ v: 'meta.k8s.io/v1', rv: 5, start: '../c1' })}`, `${prefix}: ../c1`],
    [
      `continue=${token({ v: 'meta.k8s.io/v1', rv: '5', start: 'c1' })}`,
      `${prefix}: json: cannot unmarshal string into Go struct field continueToken.rv of type int64`,
    ],
    [
      `continue=${token({ v: 1, rv: 5, start: 'c1' })}`,
      `${prefix}: json: cannot unmarshal number into Go struct field continueToken.v of type string`,
    ],
    [`continue=${good}&resourceVersion=5`, 'specifying resource version is not allowed when using continue'],
    ['resourceVersion=abc', `${notANumber} "abc": strconv.ParseUint: parsing "abc": invalid syntax`],
    ['resourceVersion=-1&limit=1', `${notANumber} "-1": strconv.ParseUint: parsing "-1": invalid syntax`],
    [
      'resourceVersion=99999999999999999999',
      `${notANumber} "99999999999999999999": strconv.ParseUint: parsing "99999999999999999999": value out of range`,
    ],
  ])('%s is a bad request', (query, message) => {
    expect(refusal(store, query)).toMatchObject({ code: 400, reason: 'BadRequest', message });
  });

  it.each([
    'resourceVersion=999',
    'resourceVersion=999&limit=1',
    'resourceVersion=999&resourceVersionMatch=Exact',
    'resourceVersion=999&resourceVersionMatch=NotOlderThan',
    `continue=${token({ v: 'meta.k8s.io/v1', rv: 999, start: 'c1' })}`,
  ])('%s asks for what is still to come', (query) => {
    expect(refusal(store, query).toStatus()).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Timeout: Too large resource version: 999, current: 9',
      reason: 'Timeout',
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
      code: 504,
    });
  });

  it('names a version exactly, even one that is no JavaScript number', () => {
    expect(refusal(store, 'resourceVersion=18446744073709551615').message).toContain('version: 18446744073709551615,');
  });

  it.each(['resourceVersion=4&resourceVersionMatch=Exact', 'resourceVersion=4&limit=1'])('%s is too old', (query) => {
    expect(refusal(store, query)).toMatchObject({
      code: 410,
      reason: 'Expired',
      message: 'The resourceVersion for the provided list is too old.',
    });
  });

  it('has a token that is too old, and gets one to go on all the same', () => {
    const status = refusal(
      store,
      `limit=2&continue=${token({ v: 'meta.k8s.io/v1', rv: 4, start: '/c1\0' })}`,
    ).toStatus();

    expect(status).toMatchObject({ code: 410, reason: 'Expired' });
    expect(status.message).toMatch(/^The provided continue parameter is too old to display a consistent list result\./);
    expect(readable(status.metadata.continue)).toEqual({ v: 'meta.k8s.io/v1', rv: -1, start: '/c1\0' });
    const rest = page(store, `limit=2&continue=${status.metadata.continue}`);
    expect(namesOf(rest)).toBe('c2 c3');
    expect(rest.revision).toBe(9);
  });
});

describe('a request for one object', () => {
  it('may name a version that is reached', async () => {
    const store = await storeWithHistory();

    for (const version of ['', '0', '4', '9']) expect(() => requireVersionOfGet(store, version)).not.toThrow();
    expect(() => requireVersionOfGet(store, '10')).toThrow(expect.objectContaining({ code: 504 }));
  });

  it('gets an error without reason for what is no version, as from Kubernetes', async () => {
    const store = await storeWithHistory();
    let status = {};
    try {
      requireVersionOfGet(store, 'abc');
    } catch (error) {
      status = (error as StatusError).toStatus();
    }

    expect(JSON.parse(JSON.stringify(status))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
      code: 500,
    });
  });
});

describe('paging', () => {
  it('shows every object of one state exactly once, whatever changes meanwhile', async () => {
    const change = fc.record({ key: fc.nat(30), remove: fc.boolean() });
    const scenario = {
      before: fc.array(fc.nat(30), { maxLength: 40 }),
      limit: fc.integer({ min: 1, max: 7 }),
      meanwhile: fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 40 }),
      selector: fc.constantFrom('', '&labelSelector=even%3Dtrue', '&fieldSelector=metadata.name%21%3Do3'),
    };
    await fc.assert(
      fc.asyncProperty(fc.record(scenario), async ({ before, limit, meanwhile, selector }) => {
        const store = await openStore();
        const write = async (key: number, remove: boolean) => {
          const labels = { even: String(key % 2 === 0), at: String(store.revision) };
          const written = {
            bucket: BUCKET,
            key: `default/o${key}`,
            object: remove ? undefined : object(`o${key}`, labels),
          };
          await store.commit(written);
        };
        for (const key of before) await write(key, false);
        const expected = page(store, selector.slice(1)).entries;

        const seen: unknown[] = [];
        let next = '';
        do {
          const current: ListPage = page(store, `limit=${limit}${selector}${next}`);
          expect(current.entries.length).toBeLessThanOrEqual(limit);
          if (current.remainingItemCount !== undefined) {
            expect(seen.length + current.entries.length + current.remainingItemCount).toBe(expected.length);
          }
          seen.push(...current.entries);
          next = current.continueToken === undefined ? '' : `&continue=${current.continueToken}`;
          for (const { key, remove } of meanwhile.shift() ?? []) await write(key, remove);
        } while (next !== '');
        expect(seen).toEqual(expected);
      }),
    );
  });
});
