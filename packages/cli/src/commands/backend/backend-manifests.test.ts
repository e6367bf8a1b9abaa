import { isKlutchError } from '@klutch/api';
import type { KubeObject } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { backendManifests } from './backend-manifests.ts';

const installation = { namespace: 'bind', image: 'registry.example.org/backend:v1', args: [], offers: [] };
const named = (objects: readonly KubeObject[], kind: string) =>
  objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

describe('the manifests of a backend', () => {
  it('put policies in force before they give the rights that these narrow', () => {
    const kinds = backendManifests(installation).map(({ kind }) => kind);

    expect(kinds.lastIndexOf('ValidatingAdmissionPolicyBinding')).toBeLessThan(kinds.indexOf('ClusterRole'));
    expect(kinds.filter((kind) => kind === 'ValidatingAdmissionPolicyBinding')).toHaveLength(3);
  });

  it('speak of the account that the backend runs as', () => {
    const policies = backendManifests(installation).filter(({ metadata }) => metadata.name === 'klutch-backend-writes');

    expect(JSON.stringify(policies)).toContain('system:serviceaccount:bind:klutch-backend');
  });

  it('let it into namespaces with AppClusterBindings that are named, and into no others', () => {
    const given = { ...installation, args: ['--control-plane-mode'], appClusterNamespaces: ['team-a', 'team-b'] };
    const places = backendManifests(given)
      .filter((object) => JSON.stringify(object).includes('klutch-backend-app-cluster-bindings'))
      .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}`);

    expect(places).toEqual(['ClusterRole ', 'RoleBinding team-a', 'RoleBinding team-b']);
    expect(named(backendManifests(installation), 'ClusterRole')).toEqual(['klutch-backend', 'klutch-backend-tenant']);
  });

  it('are refused when AppClusterBindings would not be served', () => {
    const wrong = () => backendManifests({ ...installation, appClusterNamespaces: ['team-a'] });

    expect(wrong).toThrow(expect.objectContaining({ message: expect.stringContaining('--control-plane-mode') }));
    try {
      wrong();
    } catch (error) {
      expect(isKlutchError(error, 'KLUTCH_USAGE')).toBe(true);
    }
  });
});
