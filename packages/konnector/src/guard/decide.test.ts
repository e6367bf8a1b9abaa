import { type APIServiceBinding, apiVersion, finalizers, labels } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { type Decision, decide, type Observed } from './decide.ts';

const living: Observed['guard'] = {
  metadata: { name: 'klutch-guard-x', labels: { [labels.enrolment]: 'x' }, finalizers: [finalizers.guard] },
};
const going = { metadata: { ...living.metadata, deletionTimestamp: '2026-03-01T12:00:00Z' } };
const released = { metadata: { ...going.metadata, finalizers: ['example.org/other'] } };

function boundBy(secret: string): APIServiceBinding {
  return {
    apiVersion,
    kind: 'APIServiceBinding',
    metadata: { name: 'widgets.example.org' },
    spec: { kubeconfigSecretRef: { namespace: 'klutch-bind', name: secret, key: 'kubeconfig' } },
  };
}

type Row = readonly [string, Observed['guard'], readonly APIServiceBinding[], boolean, Decision];

describe('a guard', () => {
  it.each<Row>([
    ['is kept while nobody deletes it', living, [], false, 'keep'],
    ['waits for the bindings of its bundle', going, [boundBy('kubeconfig-x')], false, 'wait'],
    ['does not wait for bindings of others', going, [boundBy('kubeconfig-y')], false, 'release'],
    ['waits for what bindings left behind', going, [], true, 'wait'],
    ['goes when nothing is left', going, [], false, 'release'],
    ['is not released twice', released, [], false, 'keep'],
  ])('%s', async (_, guard, bindings, leftovers, expected) => {
    expect(await decide({ guard, bindings, hasLeftovers: async () => leftovers })).toBe(expected);
  });
});
