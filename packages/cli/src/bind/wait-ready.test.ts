import { type APIServiceBinding, apiVersion } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { problemOf } from './wait-ready.ts';

const condition = (type: string, status: 'True' | 'False', reason = '', message = '') => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});
const binding = (...conditions: readonly ReturnType<typeof condition>[]): APIServiceBinding => ({
  apiVersion,
  kind: 'APIServiceBinding',
  metadata: { name: 'a.b' },
  spec: { kubeconfigSecretRef: { namespace: 'n', name: 's', key: 'kubeconfig' } },
  status: { conditions: [...conditions] },
});

describe('CLI-36 problemOf', () => {
  it.each([
    ['a binding that is ready', binding(condition('Ready', 'True')), undefined],
    ['one that is gone', undefined, 'the binding is gone.'],
    [
      'one that no konnector has processed',
      binding(condition('Ready', 'False', 'Pending', 'x')),
      expect.stringContaining('has not processed it yet'),
    ],
    ['one without conditions', binding(), expect.stringContaining('has not processed it yet')],
    [
      'one with a failing condition',
      binding(
        condition('Ready', 'False', 'Summary', 'see others'),
        condition('SecretValid', 'False', 'KubeconfigSecretInvalid', 'It is damaged.'),
      ),
      'condition SecretValid is False (KubeconfigSecretInvalid): It is damaged.',
    ],
    [
      'one that only says that it is not ready',
      binding(condition('Ready', 'False', 'Why', 'So it is')),
      'condition Ready is False (Why): So it is.',
    ],
  ])('knows %s', (_, seen, problem) => {
    expect(problemOf(seen)).toEqual(problem);
  });
});
