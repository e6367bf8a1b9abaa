import { type APIServiceBinding, apiVersion, type Condition, type Enrolment } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import type { Reading } from '../bindings/kubeconfig-of.ts';
import { type Decision, decide } from './decide.ts';

const now = new Date('2026-03-01T12:00:00Z');
const enrolment: Enrolment = {
  id: 'x',
  backendUrl: 'https://klutch.example/export',
  token: 'sealed',
  expiresAt: new Date('2026-03-02T00:00:00Z'),
  kubeconfigSecret: 'kubeconfig-x',
};
const over: Enrolment = { ...enrolment, expiresAt: now };

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
const expired: Decision = { type: 'expired' };
const credential: Decision = { type: 'exchange', purpose: 'credential' };

type Row = readonly [string, Enrolment, readonly APIServiceBinding[], Reading, Decision];

describe('an enrolment', () => {
  it.each<Row>([
    ['rests while no binding needs it', enrolment, [], absent, rest],
    ['rests when the last binding goes', enrolment, [going], absent, rest],
    ['is exchanged when there is no credential', enrolment, [binding()], absent, credential],
    ['is exchanged when the Secret holds nothing of use', enrolment, [binding()], broken, credential],
    ['rests when there is a credential', enrolment, [binding()], present, rest],
    ['rests while the control plane is away', enrolment, [away], present, rest],
    [
      'is exchanged when the credential is rejected',
      enrolment,
      [rejected],
      present,
      { ...credential, onlyIfRejected: true },
    ],
    [
      'is exchanged when an export is missing',
      enrolment,
      [unexported],
      present,
      { type: 'exchange', purpose: 'exports' },
    ],
    [
      'rests when only a binding that goes is rejected',
      enrolment,
      [binding(), { ...rejected, metadata: going.metadata }],
      present,
      rest,
    ],
    ['is over, and needed', over, [binding()], absent, expired],
    ['is over, and the credential is rejected', over, [rejected], present, expired],
    ['is over, and nobody needs it', over, [binding()], present, rest],
    ['is over, and an export is missing', over, [unexported], present, rest],
    ['is over, and nothing is bound', over, [], absent, rest],
  ])('%s', (_, one, bindings, kubeconfig, expected) => {
    expect(decide({ enrolment: one, bindings, kubeconfig, now })).toEqual(expected);
  });
});
