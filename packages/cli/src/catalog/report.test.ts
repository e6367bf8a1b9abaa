import type { Effect } from '@klutch/catalog';
import { describe, expect, it } from 'vitest';
import type { Compared, Comparison } from './compare.ts';
import { breakingLines, reportLines, reportOf } from './report.ts';

function compared(name: string, given: Partial<Compared> = {}): Compared {
  const desired = { apiVersion: 'x/v1', kind: 'Composition', metadata: { name } };
  return { desired, live: undefined, after: desired, changes: [], ...given };
}

const live = { apiVersion: 'x/v1', kind: 'Composition', metadata: { name: 'x' } };
const comparison: Comparison = {
  definitions: [],
  compositions: [
    compared('new'),
    compared('same', { live }),
    compared('other', { live, changes: [{ path: 'spec.x' }] }),
  ],
  templates: [],
  providerConfigs: [compared('config', { live })],
  leftover: [live],
};

function effect(name: string, given: Partial<Effect>): Effect {
  const claim = { kind: 'Db', metadata: { namespace: 'n', name } };
  const tenant = { name: 'acme', clusterNamespace: 'cluster-acme' };
  return { instance: { claim, tenant }, findings: [], changes: [], ...given };
}

const effects = [
  effect('a', {}),
  effect('b', { findings: [{ is: 'changes', sentence: 'It changes.' }] }),
  effect('c', {
    findings: [
      { is: 'breaks', sentence: 'It breaks.' },
      { is: 'stranded', sentence: 'It stays.' },
    ],
  }),
];

describe('a report of what a catalogue would change', () => {
  it('has objects that are added or changed, and instances to which something happens', () => {
    expect(reportLines(reportOf(comparison, effects))).toEqual([
      '+ Composition new',
      '~ Composition other: spec.x',
      '- Composition x: It is no longer in the catalogue, and stays until you delete it with kubectl.',
      '',
      '~ Db n/b of tenant acme (cluster-acme): It changes.',
      '! Db n/c of tenant acme (cluster-acme): It breaks.',
      '> Db n/c of tenant acme (cluster-acme): It stays.',
      '',
      'Instances: 1 breaks, 1 changes, 1 keeps what nobody else gets any more, 1 stays as it is.',
    ]);
  });

  it('says that nothing changes', () => {
    const nothing = { definitions: [], compositions: [], templates: [], providerConfigs: [], leftover: [] };
    expect(reportLines(reportOf(nothing, []))).toEqual([
      'No object of the control plane changes.',
      '',
      'Instances: 0 stay as they are.',
    ]);
  });

  it('tells what breaks apart', () => {
    expect(breakingLines(reportOf(comparison, effects))).toEqual([
      '! Db n/c of tenant acme (cluster-acme): It breaks.',
    ]);
  });
});
