import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { annotations } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { keptApi, keptMark } from './kept-api.ts';
import { sampleExport, sampleVersion, servedCrd } from './schema.fixture.ts';

const crdWith = (mark: string | undefined) =>
  servedCrd(sampleExport(), { annotations: mark === undefined ? {} : { [annotations.keptSchema]: mark } });
const packed = (value: unknown) => deflateRawSync(JSON.stringify(value)).toString('base64');

describe('the API that a CRD remembers', () => {
  it('is the one it was marked with', () => {
    const { spec } = servedCrd(
      sampleExport({ versions: [sampleVersion(), sampleVersion({ name: 'v2', storage: false })] }),
    );
    const { group, names, scope, versions } = spec;

    expect(keptApi(crdWith(keptMark(spec)))).toEqual({ group, names, scope, versions });
  });

  it.each([
    ['is not marked', undefined],
    ['has a mark that is no text of ours', 'not-deflated'],
    ['has a mark that is cut off', keptMark(servedCrd().spec)?.slice(0, 20)],
    ['remembers nothing', packed(null)],
    ['remembers another API', packed({ ...servedCrd().spec, group: 'other.org' })],
    ['remembers another scope', packed({ ...servedCrd().spec, scope: 'Cluster' })],
    ['remembers no versions', packed({ ...servedCrd().spec, versions: undefined })],
  ])('is none when it %s', (_, mark) => {
    expect(keptApi(crdWith(mark))).toBeUndefined();
  });

  it('is not written down when it is too large', () => {
    const description = randomBytes(200_000).toString('base64');
    const versions = [sampleVersion({ schema: { openAPIV3Schema: { type: 'object', description } } })];

    expect(keptMark(servedCrd(sampleExport({ versions })).spec)).toBeUndefined();
  });
});
