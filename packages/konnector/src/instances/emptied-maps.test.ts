import type { UnknownObject } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { emptyingPatch } from './emptied-maps.ts';

const object = (spec: unknown): UnknownObject => ({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, spec });

describe('maps that become empty', () => {
  it.each<[string, unknown, unknown, unknown]>([
    ['lose their entries', { params: {} }, { params: { a: '1', b: '2' } }, { params: { a: null, b: null } }],
    [
      'wherever they are',
      { deep: { map: {}, n: 1 } },
      { deep: { map: { a: '1' }, n: 2 } },
      { deep: { map: { a: null } } },
    ],
    ['are left alone when they are empty already', { params: {} }, { params: {} }, undefined],
    ['are left alone when they are not there', { params: {} }, {}, undefined],
    ['are told from those that keep some entries', { params: { a: '1' } }, { params: { a: '1', b: '2' } }, undefined],
    ['are told from maps that are to go as a whole', { n: 1 }, { n: 1, params: { a: '1' } }, undefined],
    ['can be the whole spec', {}, { n: 1 }, { n: null }],
    ['are told from values of other types', { params: {} }, { params: 'text' }, undefined],
  ])('%s', (_, wanted, actual, patch) => {
    expect(emptyingPatch(object(wanted), object(actual))).toEqual(patch === undefined ? undefined : { spec: patch });
  });
});
