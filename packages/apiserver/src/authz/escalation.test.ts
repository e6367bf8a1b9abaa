import { describe, expect, it } from 'vitest';

import type { ApiObject } from '../objects/api-object.ts';
import { StatusError } from '../status/status-error.ts';
import { checkEscalation, type RbacWrite } from './escalation.ts';
import { createAuthorizer } from './rbac-authorizer.ts';
import { applyRbacDefaults } from './rbac-defaults.ts';
import type { Role } from './rbac-objects.ts';
import { readRecording } from './testing/recording.ts';
import { recordedWorld, staticRoles } from './testing/static-roles.ts';

interface RecordedWrite {
  readonly note: string;
  readonly user: string;
  readonly groups: readonly string[];
  readonly method: string;
  readonly object: ApiObject;
  readonly code: number;
  readonly status?: {
    readonly message: string;
    readonly reason?: string;
    readonly details?: object;
    readonly code: number;
  };
}

const RESOURCES: Readonly<Record<string, RbacWrite['resource']>> = {
  Role: 'roles',
  ClusterRole: 'clusterroles',
  RoleBinding: 'rolebindings',
  ClusterRoleBinding: 'clusterrolebindings',
};

const world = recordedWorld();
const authorizer = createAuthorizer(staticRoles(world));
const stored = ({ kind, metadata: { name, namespace } }: ApiObject) =>
  world.find(
    (object) => object.kind === kind && object.metadata.name === name && object.metadata.namespace === namespace,
  );

const refusalOf = (write: RbacWrite) => {
  try {
    checkEscalation(write, authorizer);
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const { message, reason, details, code } = error;
    return { message, ...(reason === '' ? {} : { reason, details }), code };
  }
};

describe('writes of roles and bindings are refused as kube-apiserver refuses them', () => {
  const recorded = readRecording<RecordedWrite>(new URL('./recorded/escalation.jsonl', import.meta.url));
  it.each(
    recorded.map((write) => {
      const { kind, metadata, rules, roleRef } = write.object;
      const title = `${write.user} ${write.method} ${kind} ${metadata.name} ${JSON.stringify(rules ?? roleRef)} ${write.note}`;
      return [title, write] as const;
    }),
  )('%s', (_, { user, groups, method, object, code, status }) => {
    const wanted = structuredClone(object);
    applyRbacDefaults(wanted);
    const refusal = refusalOf({
      user: { name: user, groups },
      resource: RESOURCES[object.kind] ?? 'roles',
      namespace: object.metadata.namespace ?? '',
      name: method === 'POST' ? '' : (object.metadata.name ?? ''),
      object: wanted,
      ...(method === 'POST' ? {} : { old: stamped(stored(object)) }),
    });
    // Validation comes later and has tests of its own.
    expect(refusal).toEqual(code === 422 ? undefined : status);
  });

  it('covers allowed writes as well as refused ones', () => {
    expect(recorded.filter(({ code }) => code < 300).length).toBeGreaterThan(10);
    expect(recorded.filter(({ code }) => code === 403).length).toBeGreaterThan(20);
  });
});

describe('somebody without the rights in a role', () => {
  const carol = { name: 'carol', groups: ['system:authenticated'] };
  const old = stamped(world.find(({ metadata }) => metadata.name === 'secret-owner'));
  const change = (metadata: object): RbacWrite => ({
    user: carol,
    resource: 'clusterroles',
    namespace: '',
    name: 'secret-owner',
    object: { ...old, metadata: { ...old.metadata, ...metadata } },
    old,
  });
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u' };

  it.each([
    ['send it back as it is', {}],
    ['change its finalizers', { finalizers: ['example.org/x'] }],
    ['change its owners', { ownerReferences: [owner] }],
    ['change who manages its fields', { managedFields: [{ manager: 'me' }] }],
  ])('may %s', (_, metadata) => {
    expect(refusalOf(change(metadata))).toBeUndefined();
  });

  it.each([
    ['labels', { labels: { a: 'b' } }],
    ['annotations', { annotations: { a: 'b' } }],
  ])('may not change its %s', (_, metadata) => {
    expect(refusalOf(change(metadata))).toMatchObject({ code: 403, reason: 'Forbidden' });
  });
});

describe('who may do everything', () => {
  it('may write a role that collects the rules of others', () => {
    const roles = [
      {
        apiVersion: 'v1',
        kind: 'ClusterRole',
        metadata: { name: 'all' },
        rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      },
      {
        apiVersion: 'v1',
        kind: 'ClusterRole',
        metadata: { name: 'urls' },
        rules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      },
    ];
    const bind = (role: string) => ({
      apiVersion: 'v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: role },
      subjects: [{ kind: 'User', name: 'ann' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    });
    const mighty = createAuthorizer(staticRoles([...roles, bind('all'), bind('urls')]));
    const object = {
      ...(roles[0] as Role as ApiObject),
      metadata: { name: 'new' },
      aggregationRule: { clusterRoleSelectors: [{}] },
    };
    const write = {
      user: { name: 'ann', groups: [] },
      resource: 'clusterroles',
      namespace: '',
      name: '',
      object,
    } as const;
    expect(() => checkEscalation(write, mighty)).not.toThrow();
  });
});

/** As stored: with fields that clients who write from scratch do not send. */
function stamped(object: unknown): ApiObject {
  const { metadata, ...rest } = object as ApiObject;
  return {
    ...rest,
    metadata: { ...metadata, uid: 'u-1', resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z' },
  };
}
