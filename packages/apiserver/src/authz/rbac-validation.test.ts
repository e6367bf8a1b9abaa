import { describe, expect, it } from 'vitest';

import type { ApiObject } from '../objects/api-object.ts';
import { type FieldCause, invalid } from '../status/status-error.ts';
import { pathSegmentProblems } from './path-segment.ts';
import { applyRbacDefaults } from './rbac-defaults.ts';
import { RBAC_GROUP, type RoleBinding } from './rbac-objects.ts';
import { clusterRoleBindingCauses, clusterRoleCauses, roleBindingCauses, roleCauses } from './rbac-validation.ts';
import { readRecording } from './testing/recording.ts';
import { recordedWorld } from './testing/static-roles.ts';

interface RecordedWrite {
  readonly method: string;
  readonly object: ApiObject;
  readonly code: number;
  readonly causes?: readonly FieldCause[];
  readonly message?: string;
  readonly stored?: { readonly rules?: unknown; readonly subjects?: unknown; readonly roleRef?: unknown };
}

const recorded = readRecording<RecordedWrite>(new URL('./recorded/validation.jsonl', import.meta.url)).map((write) => {
  const { kind, metadata, rules, roleRef, subjects, aggregationRule } = write.object;
  return [
    `${write.method} ${kind} ${JSON.stringify([metadata.name, rules, roleRef, subjects, aggregationRule])}`,
    write,
  ] as const;
});

const causesOf = (object: ApiObject, old?: unknown): FieldCause[] => {
  switch (object.kind) {
    case 'Role':
      return roleCauses(object);
    case 'ClusterRole':
      return clusterRoleCauses(object);
    case 'RoleBinding':
      return roleBindingCauses(object as unknown as RoleBinding, old as RoleBinding | undefined);
    default:
      return clusterRoleBindingCauses(object as unknown as RoleBinding, old as RoleBinding | undefined);
  }
};

describe('roles and bindings are accepted and refused as by kube-apiserver', () => {
  it.each(recorded)('%s', (_, { method, object, causes, message, stored }) => {
    const written = structuredClone(object);
    applyRbacDefaults(written);
    const { kind, metadata } = written;
    const old =
      method === 'PUT'
        ? recordedWorld().find((known) => known.kind === kind && known.metadata.name === metadata.name)
        : undefined;
    const { name = '' } = metadata;
    const ofName = pathSegmentProblems(name).map((problem) => ({
      reason: 'FieldValueInvalid',
      message: `Invalid value: "${name}": ${problem}`,
      field: 'metadata.name',
    }));
    const found = [...ofName, ...causesOf(written, old)];
    expect(found).toEqual(causes ?? []);
    if (message !== undefined) expect(invalid(RBAC_GROUP, kind, name, found).message).toBe(message);
    if (stored !== undefined) expect(written).toMatchObject(stored);
  });
});

describe('defaults', () => {
  const filled = (object: object): Record<string, unknown> => {
    const copy = structuredClone(object) as ApiObject;
    applyRbacDefaults(copy);
    return copy;
  };

  it('give users and groups their API group, and service accounts none', () => {
    const subjects = [
      { kind: 'User', name: 'u' },
      { kind: 'Group', name: 'g', apiGroup: '' },
      { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      { kind: 'User', name: 'x', apiGroup: 'mine' },
    ];
    expect(filled({ kind: 'RoleBinding', metadata: {}, subjects, roleRef: { kind: 'Role', name: 'r' } })).toMatchObject(
      {
        subjects: [
          { kind: 'User', name: 'u', apiGroup: RBAC_GROUP },
          { kind: 'Group', name: 'g', apiGroup: RBAC_GROUP },
          { kind: 'ServiceAccount', name: 's', namespace: 'n' },
          { kind: 'User', name: 'x', apiGroup: 'mine' },
        ],
        roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name: 'r' },
      },
    );
  });

  it('take null for nothing', () => {
    const binding = filled({ kind: 'ClusterRoleBinding', metadata: {}, subjects: null, roleRef: null });
    expect(binding).toEqual({
      kind: 'ClusterRoleBinding',
      metadata: {},
      roleRef: { apiGroup: RBAC_GROUP, kind: '', name: '' },
    });
    const role = filled({ kind: 'Role', metadata: {}, rules: [{ verbs: ['get'], apiGroups: null, resources: ['x'] }] });
    expect(role.rules).toEqual([{ verbs: ['get'], resources: ['x'] }]);
  });

  it('make a role without rules show it', () => {
    for (const rules of [undefined, null, []]) expect(filled({ kind: 'Role', metadata: {}, rules }).rules).toBeNull();
  });

  it('give an incomplete selector something to complain about', () => {
    const role = filled({
      kind: 'ClusterRole',
      metadata: {},
      aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{}] }] },
    });
    const fields = causesOf(role as ApiObject).map(({ field }) => field);
    const at = 'aggregationRule.clusterRoleSelectors[0]';
    expect(fields).toEqual([
      `${at}.matchExpressions[0].operator`,
      `${at}.matchExpressions[0].key`,
      `${at}.matchExpressions[0].key`,
      at,
    ]);
  });
});
