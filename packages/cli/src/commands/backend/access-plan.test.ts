import { annotations } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { planFor } from './access-plan.ts';

const namespace = (notes: Readonly<Record<string, string>> = {}, metadata: object = {}): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: 'cluster-x',
    annotations: { [annotations.tenantIdentity]: '["group","i","acme"]', [annotations.tenantName]: 'acme', ...notes },
    ...metadata,
  },
});
const revoked = { [annotations.access]: 'Revoked' };
const serviceNamespaces = ['s-1', 's-2'];

describe('what becomes of an app cluster', () => {
  it('that is revoked: it loses access and keeps its data', () => {
    const plan = planFor('revoke', { namespace: namespace(), serviceNamespaces });

    expect(plan).toMatchObject({ annotations: revoked, until: 'revoked', isDone: false });
    expect(plan.effects.join(' ')).toMatch(/tenant acme.*credentials end.*data stays, in namespaces s-1, s-2/);
  });

  it('that is restored: it may be bound again, and is not purged', () => {
    const plan = planFor('restore', { namespace: namespace(revoked), serviceNamespaces });

    expect(plan).toMatchObject({
      annotations: { [annotations.access]: null, [annotations.purge]: null },
      isDone: false,
    });
    expect(planFor('restore', { namespace: namespace(), serviceNamespaces }).isDone).toBe(true);
  });

  it('that is purged: everything goes, once it was revoked', () => {
    const plan = planFor('purge', { namespace: namespace(revoked), serviceNamespaces });

    expect(plan).toMatchObject({ annotations: { [annotations.purge]: 'cluster-x' }, until: 'gone' });
    expect(plan.effects.join(' ')).toContain('2 namespaces with its data: s-1, s-2');
    expect(() => planFor('purge', { namespace: namespace(), serviceNamespaces })).toThrow(
      'klutch backend revoke cluster-x',
    );
  });

  it.each(['revoke', 'restore', 'purge'] as const)(
    'is not decided by %s for a namespace that stands for none',
    (operation) => {
      const foreign = { ...namespace(), metadata: { name: 'kube-system' } };

      expect(() => planFor(operation, { namespace: foreign, serviceNamespaces })).toThrow(
        /kube-system does not stand for/,
      );
    },
  );

  it('that a Go backend made can be revoked, too', () => {
    const { metadata, ...rest } = namespace();
    const go = { ...rest, metadata: { ...metadata, annotations: { [annotations.identity]: 'alice#x' } } };

    expect(planFor('revoke', { namespace: go, serviceNamespaces: [] }).effects.join(' ')).toContain('It has no data.');
  });

  it('that is already going cannot be restored', () => {
    const going = namespace(revoked, { deletionTimestamp: 'now' });

    expect(() => planFor('restore', { namespace: going, serviceNamespaces })).toThrow('is being deleted');
  });
});
