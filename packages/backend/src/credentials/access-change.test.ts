import { ClusterBindingReason, ConditionType, falseCondition, setCondition, trueCondition } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { accessChange } from './access-change.ts';

const valid = trueCondition(ConditionType.CredentialValid);
const failed = falseCondition(
  ConditionType.CredentialValid,
  'Error',
  ClusterBindingReason.CredentialRenewalFailed,
  'x',
);
const revoked = falseCondition(ConditionType.CredentialValid, 'Error', ClusterBindingReason.AccessRevoked, 'x');

describe('a change of access', () => {
  it.each([
    [undefined, valid, undefined],
    [valid, failed, undefined],
    [revoked, revoked, undefined],
    [undefined, revoked, 'Revoke'],
    [valid, revoked, 'Revoke'],
    [revoked, failed, 'Restore'],
    [revoked, valid, 'Restore'],
  ] as const)('from %j to %j is %s', (before, now, expected) => {
    const conditions = before ? setCondition([], before, new Date(0)) : [];

    expect(accessChange({ status: { conditions: [...conditions] } }, now)).toBe(expected);
  });
});
