import { annotations, distinctName } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Claimant, choosePlace, marksOf, placeNames } from './place.ts';

const claimant: Claimant = { clusterNamespace: 'cluster-a', clusterUid: 'uid-a', name: 'team' };
const names = placeNames({ namespace: 'cluster-a', name: 'team' });

describe('the place of an app namespace', () => {
  it('is free when nothing has its name', () => {
    expect(choosePlace({}, claimant, undefined)).toEqual({ is: 'free', name: distinctName('cluster-a', 'team') });
  });

  it('is the one that was made for it', () => {
    const own = namespace(names.own, marksOf(claimant));

    expect(choosePlace({ own }, claimant, undefined)).toEqual({ is: 'ours', namespace: own });
  });

  it('is one that a Go backend made for it, which does not say for which of several clusters of a name', () => {
    const go = namespace(names.go, { [annotations.apiServiceNamespace]: 'cluster-a/team' });

    expect(choosePlace({ go }, claimant, undefined)).toEqual({ is: 'ours', namespace: go });
  });

  it.each([
    ['says nothing', {}],
    ['was made for another app namespace', { [annotations.apiServiceNamespace]: 'cluster-a/other' }],
    ['was made for another cluster', { [annotations.apiServiceNamespace]: 'cluster/a-team' }],
    ['only begins right', { [annotations.apiServiceNamespace]: 'cluster-a/team/x' }],
  ])('is never one that %s', (_, notes) => {
    const [own, go] = [namespace(names.own, notes), namespace(names.go, notes)];

    expect(choosePlace({ own, go }, claimant, names.own)).toEqual({ is: 'foreign', name: names.own, heir: false });
    expect(choosePlace({ go }, claimant, names.go)).toEqual({ is: 'free', name: names.own });
  });

  it('is never one of an earlier cluster of the same name', () => {
    const own = namespace(names.own, marksOf({ ...claimant, clusterUid: 'uid-before' }));

    expect(choosePlace({ own }, claimant, undefined)).toEqual({ is: 'foreign', name: names.own, heir: true });
  });

  it('stays the one that was told when both were made for it', () => {
    const [own, go] = [namespace(names.own, marksOf(claimant)), namespace(names.go, marksOf(claimant))];

    expect(choosePlace({ own, go }, claimant, names.go)).toEqual({ is: 'ours', namespace: go });
    expect(choosePlace({ own, go }, claimant, names.own)).toEqual({ is: 'ours', namespace: own });
    expect(choosePlace({ own, go }, claimant, 'kube-system')).toEqual({ is: 'ours', namespace: own });
  });

  it('is never that of two different claimants', () => {
    const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?$/);
    const anyone = fc.record({ clusterNamespace: label, clusterUid: label, name: label });
    fc.assert(
      fc.property(anyone, anyone, (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        const made = namespace('n', marksOf(one));
        expect(choosePlace({ own: made, go: made }, other, 'n').is).toBe('foreign');
      }),
    );
  });
});

function namespace(name: string, notes: Readonly<Record<string, string>>): Namespace {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, annotations: notes } };
}
