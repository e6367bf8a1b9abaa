import { type APIServiceBinding, apiVersion, type Condition } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import type { Reading } from '../bindings/kubeconfig-of.ts';
import { type Decision, decide } from './decide.ts';

const absent: Reading = { reason: 'KubeconfigSecretNotFound', problem: '' };
const broken: Reading = { reason: 'KubeconfigSecretInvalid', problem: '' };
const present = { kubeconfig: { config: {}, fingerprint: 'f' } } as unknown as Reading;

function binding(condition?: { type: string; reason: string }, deletionTimestamp?: string): APIServiceBinding {
  const conditions = condition && [
    { ...condition, status: 'False', lastTransitionTime: '2026-03-01T00:00:00Z' } as Condition,
  ];
  return {
    apiVersion,
    kind: 'APIServiceBinding',
    metadata: { name: 'widgets.example.org', deletionTimestamp },
    ...(conditions && { status: { conditions } }),
  };
}
const rejected = binding({ type: 'Heartbeating', reason: 'CredentialsRejected' });
const away = binding({ type: 'Heartbeating', reason: 'ControlPlaneUnreachable' });
const unexported = binding({ type: 'Connected', reason: 'APIServiceExportNotFound' });
const going = binding(undefined, '2026-03-01T11:00:00Z');

const rest: Decision = { type: 'rest' };
const credential: Decision = { type: 'exchange', purpose: 'credential' };

type Row = readonly [string, readonly APIServiceBinding[], Reading, Decision];

describe('an enrolment', () => {
  it.each<Row>([
    ['rests while no binding needs it', [], absent, rest],
    ['rests when the last binding goes', [going], absent, rest],
    ['is exchanged when there is no credential', [binding()], absent, credential],
    ['is exchanged when the Secret holds nothing of use', [binding()], broken, credential],
    ['rests when there is a credential', [binding()], present, rest],
    ['rests while the control plane is away', [away], present, rest],
    ['is exchanged when the credential is rejected', [rejected], present, { ...credential, onlyIfRejected: true }],
    ['is exchanged when an export is missing', [unexported], present, { type: 'exchange', purpose: 'exports' }],
    [
      'rests when only a binding that goes is rejected',
      [binding(), { ...rejected, metadata: going.metadata }],
      present,
      rest,
    ],
  ])('%s', (_, bindings, kubeconfig, expected) => {
    expect(decide({ bindings, kubeconfig })).toEqual(expected);
  });
});
