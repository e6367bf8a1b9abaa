import { labels } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { judgeProof } from './judge-proof.ts';

const bindings = (...purposes: string[]) =>
  purposes.map((purpose) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: purpose, labels: { [labels.policy]: purpose } },
  }));
const all = bindings('mark', 'writes', 'tenants');

describe('the policies of a backend', () => {
  it('are in force when what they deny is refused, and all are bound', () => {
    expect(judgeProof({ isRefused: true, bindings: all })).toEqual({ isInForce: true });
  });

  it.each([
    ['nothing is refused, whatever is bound', { isRefused: false, bindings: all }, 'such as kube-system'],
    ['the API server knows no policies', { isRefused: false, bindings: [] }, 'Kubernetes 1.30'],
    ['one is missing', { isRefused: true, bindings: bindings('mark', 'writes') }, 'missing: tenants'],
  ])('are not in force when %s', (_, evidence, words) => {
    const { isInForce, problem } = judgeProof(evidence);

    expect(isInForce).toBe(false);
    expect(problem).toContain(words);
    expect(problem).toContain('klutch backend manifests');
  });
});
