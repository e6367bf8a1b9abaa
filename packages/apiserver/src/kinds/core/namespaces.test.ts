import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../objects/api-object.ts';
import { namespaces } from './namespaces.ts';

const { strategy, schema } = namespaces;

const namespace = (fields: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'n' },
  ...fields,
});

describe('a namespace', () => {
  it('is active and held by Kubernetes from the start', () => {
    const object = namespace();

    strategy.prepareCreate?.(object);

    expect(object).toMatchObject({ spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } });
  });

  it('keeps the finalizers its creator wants', () => {
    const object = namespace({ spec: { finalizers: ['example.org/mine'] } });

    strategy.prepareCreate?.(object);

    expect(object).toMatchObject({ spec: { finalizers: ['example.org/mine', 'kubernetes'] } });
  });

  it('carries its name as a label, which nobody can change', () => {
    const object = namespace({ metadata: { name: 'n', labels: { 'kubernetes.io/metadata.name': 'other', a: 'b' } } });

    schema?.applyDefaults(object);

    expect(object.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': 'n', a: 'b' });
  });

  it('cannot lose its finalizers in an update', () => {
    const old = namespace({ spec: { finalizers: ['kubernetes'] } });
    const changed = namespace({ spec: {} });

    strategy.prepareUpdate?.(changed, old);

    expect(changed['spec']).toEqual({ finalizers: ['kubernetes'] });
  });

  it('stays while it has finalizers in its spec', () => {
    expect(strategy.holdsDeletion?.(namespace({ spec: { finalizers: ['kubernetes'] } }))).toBe(true);
    expect(strategy.holdsDeletion?.(namespace({ spec: {} }))).toBe(false);
    expect(strategy.holdsDeletion?.(namespace())).toBe(false);
  });

  it('is terminating once its deletion has begun', () => {
    const object = namespace({
      metadata: { name: 'n', deletionTimestamp: '2026-01-01T00:00:00Z' },
      status: { phase: 'Active', conditions: [] },
    });

    strategy.beginDeletion?.(object);

    expect(object['status']).toEqual({ phase: 'Terminating', conditions: [] });
  });

  it('can only be terminating when it is being deleted', () => {
    const going = { metadata: { name: 'n', deletionTimestamp: '2026-01-01T00:00:00Z' } };

    expect(strategy.validateUpdate?.(namespace({ ...going, status: { phase: 'Terminating' } }), namespace())).toEqual(
      [],
    );
    expect(strategy.validateUpdate?.(namespace({ ...going, status: { phase: 'Active' } }), namespace())).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: 'status.Phase',
        message: 'Invalid value: "Active": may only be \'Terminating\' if `deletionTimestamp` is not empty',
      },
    ]);
  });

  it('has a name that is a DNS label', () => {
    expect(strategy.nameProblems?.('a.b')).toHaveLength(1);
    expect(strategy.nameProblems?.('a-b')).toEqual([]);
  });

  it('is found by phase and by name', () => {
    const object = namespace({ status: { phase: 'Active' } });

    expect(namespaces.selectableFields['status.phase']?.(object)).toBe('Active');
    expect(namespaces.selectableFields['name']?.(object)).toBe('n');
  });
});
