import { annotations, type APIServiceExport, apiVersion } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import type { Refusal } from '../templates/catalogue.ts';
import { grantingExports } from './granting-exports.ts';

const exported = (plural: string, metadata: APIServiceExport['metadata'] = {}): APIServiceExport => ({
  apiVersion,
  kind: 'APIServiceExport',
  metadata: { name: `${plural}.x.org`, namespace: 'cluster-a', ...metadata },
  spec: {
    group: 'x.org',
    names: { plural, kind: 'Kind' },
    scope: 'Namespaced',
    versions: [],
    informerScope: 'Namespaced',
  },
});

const namespace: Namespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'cluster-a', annotations: { [annotations.tenantName]: 'red' } },
};

/** A catalogue that offers gadgets to tenant blue only. */
const catalogue = {
  withdrawal: ({ resource }: { readonly resource: string }, tenant?: { readonly name: string }): Refusal | undefined =>
    resource === 'gadgets' && tenant?.name !== 'blue' ? 'NotEntitled' : undefined,
};

const namesOf = (exports: readonly APIServiceExport[]) =>
  grantingExports(exports, namespace, catalogue).map(({ spec }) => spec.names.plural);

describe('rights follow', () => {
  it('from exports whose API is offered to the tenant of the cluster namespace', () => {
    expect(namesOf([exported('widgets'), exported('gadgets')])).toEqual(['widgets']);
  });

  it('not from an export that is being deleted', () => {
    expect(namesOf([exported('widgets', { deletionTimestamp: '2026-01-01T00:00:00Z' })])).toEqual([]);
  });
});
