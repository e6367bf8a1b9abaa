import { annotations } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { isServiceNamespaceOf, stillUsed } from './release.ts';

const cluster = { metadata: { name: 'cluster-1', uid: 'u1' } } as Namespace;

function namespace(madeFor?: string, tenant?: string): Namespace {
  const notes = {
    ...(madeFor && { [annotations.apiServiceNamespace]: madeFor }),
    ...(tenant && { [annotations.tenant]: tenant }),
  };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n', annotations: notes } };
}

describe('isServiceNamespaceOf', () => {
  it.each([
    ['one of this registration', namespace('cluster-1/team-a', 'cluster-1/u1'), true],
    ['one that a Go backend made', namespace('cluster-1/team-a'), true],
    ['one of an earlier registration', namespace('cluster-1/team-a', 'cluster-1/u0'), false],
    ['one of another app cluster', namespace('cluster-10/team-a', 'cluster-10/u2'), false],
    ['any other namespace', namespace(), false],
  ])('%s', (_, one, expected) => {
    expect(isServiceNamespaceOf(one, cluster)).toBe(expected);
  });
});

it('says what is left and what to do', () => {
  const left = [
    { appNamespace: 'team-a', objects: ['Widget w1', 'Widget w2'] },
    { appNamespace: 'team-b', objects: ['Gadget g'] },
  ];

  expect(stillUsed('cluster-1', left)).toMatchObject({
    code: 'KLUTCH_BINDING_IN_USE',
    message: expect.stringMatching(
      /Widget w1, Widget w2 of namespace team-a; Gadget g of namespace team-b\. .*purge app cluster cluster-1; /,
    ),
  });
});
