import { appClusterRules } from '@klutch/konnector';
import { describe, expect, it } from 'vitest';
import { inOrder, konnectorManifests } from './konnector-manifests.ts';
import { typeOf } from './manifest-types.ts';
import { servedFor } from './served-by-konnector.ts';

const apis = [{ group: 'example.org', plural: 'widgets' }];
const claims = [{ resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } }] as const;
const manifests = konnectorManifests({ image: 'konnector:v1', apis, claims });

describe('konnectorManifests', () => {
  it('are everything a konnector needs, in the order in which it can be applied', () => {
    expect(
      inOrder(manifests).map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`),
    ).toEqual([
      'Namespace /klutch-bind',
      'ServiceAccount klutch-bind/konnector',
      'ClusterRole /klutch-bind-konnector',
      'ClusterRoleBinding /klutch-bind-konnector',
      'Role klutch-bind/konnector',
      'RoleBinding klutch-bind/konnector',
      'NetworkPolicy klutch-bind/konnector',
      'Deployment klutch-bind/konnector',
    ]);
  });

  it('give exactly the rights that the APIs and claims need', () => {
    const rules = appClusterRules(apis, claims);
    const byKind = (kind: string) => manifests.rights.find((one) => one.kind === kind);

    expect(byKind('ClusterRole')).toMatchObject({ rules: rules.cluster });
    expect(byKind('Role')).toMatchObject({ rules: rules.namespace });
    expect(JSON.stringify(manifests)).not.toContain('"*"');
  });

  it('belong to types of their own group and scope', () => {
    for (const manifest of inOrder(manifests)) {
      const { group, version, namespaced } = typeOf(manifest);
      expect([group, version].filter(Boolean).join('/')).toBe(manifest.apiVersion);
      expect(manifest.metadata.namespace !== undefined).toBe(namespaced);
    }
    expect(() => typeOf({ apiVersion: 'v1', kind: 'Pod', metadata: {} })).toThrow('Pod');
  });
});

describe('servedFor', () => {
  const binding = (name: string, state: 'Accepted' | 'Rejected') => ({
    metadata: { name },
    spec: {
      kubeconfigSecretRef: { namespace: 'n', name: 's', key: 'kubeconfig' as const },
      permissionClaims: [{ ...claims[0], state }],
    },
  });

  it('counts each API once, and claims only when they are accepted', () => {
    const served = servedFor([
      binding('widgets.example.org', 'Accepted'),
      binding('a.b.c', 'Rejected'),
      binding('a.b.c', 'Rejected'),
    ]);

    expect(served.apis).toEqual([
      { plural: 'widgets', group: 'example.org' },
      { plural: 'a', group: 'b.c' },
    ]);
    expect(served.claims).toMatchObject([{ resource: 'secrets' }]);
  });
});
