import { bundleNames, type Enrolment } from '@klutch/api';
import type { UnknownObject } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { type Bundle, bundleId, bundleManifests } from './bundle-manifests.ts';
import { headOf, printBundle } from './print-bundle.ts';

const id = bundleId('https://klutch.example/export', 'prod');
const enrolment: Enrolment = {
  id,
  backendUrl: 'https://klutch.example/export',
  token: 'sealed-token',
  expiresAt: new Date('2026-03-02T12:00:00Z'),
  kubeconfigSecret: bundleNames(id).kubeconfigSecret,
};
const bundle: Bundle = {
  enrolment,
  claims: new Map([
    ['widgets.example.org', [{ resource: 'secrets', version: 'v1', state: 'Accepted' as const }]],
    ['gadgets.example.org', []],
  ]),
  image: 'example.org/konnector:v2.0.0',
  isGuarded: true,
};

function kinds(manifests: readonly UnknownObject[]): readonly string[] {
  return manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

describe('the objects of a bundle', () => {
  it('are everything that a cluster needs', () => {
    expect(kinds(bundleManifests(bundle))).toEqual([
      'Namespace klutch-bind',
      'CustomResourceDefinition apiservicebindings.klutch.anynines.com',
      'ServiceAccount konnector',
      `ClusterRole klutch-bind-konnector-${id}`,
      `ClusterRoleBinding klutch-bind-konnector-${id}`,
      'Role konnector',
      'RoleBinding konnector',
      'NetworkPolicy konnector',
      'Deployment konnector',
      `ValidatingAdmissionPolicy klutch-guard-${id}`,
      `ValidatingAdmissionPolicyBinding klutch-guard-${id}`,
      `Secret klutch-enrolment-${id}`,
      'APIServiceBinding widgets.example.org',
      'APIServiceBinding gadgets.example.org',
    ]);
  });

  it('share only what is the same in all bundles', () => {
    const other = bundleId('https://other.example/export', 'prod');
    const shared = (one: string) =>
      bundleManifests({ ...bundle, enrolment: { ...enrolment, id: one } }).filter(
        ({ kind, metadata }) => !metadata.name?.endsWith(one) && kind !== 'APIServiceBinding',
      );

    expect(other).not.toBe(id);
    expect(shared(other)).toEqual(shared(id));
  });

  it('are no konnector where there is one', () => {
    const kept = kinds(bundleManifests({ ...bundle, image: undefined }));

    expect(kept.map((name) => name.split(' ')[0])).toEqual([
      'Namespace',
      'CustomResourceDefinition',
      'Secret',
      'APIServiceBinding',
      'APIServiceBinding',
    ]);
  });

  it('give no rights for a guard where there is none', () => {
    const manifests = bundleManifests({ ...bundle, isGuarded: false });

    expect(kinds(manifests).join()).not.toContain('Admission');
    expect(JSON.stringify(manifests)).not.toContain('admissionregistration');
  });

  it('hold the policy of unbinding when there is one', () => {
    const annotationsOf = (one: Bundle) =>
      bundleManifests(one)
        .filter(({ kind }) => kind === 'APIServiceBinding')
        .map(({ metadata }) => metadata.annotations);

    expect(annotationsOf(bundle)).toEqual([undefined, undefined]);
    expect(annotationsOf({ ...bundle, onUnbind: 'Delete' })).toEqual([
      { 'klutch.anynines.com/on-unbind': 'Delete' },
      { 'klutch.anynines.com/on-unbind': 'Delete' },
    ]);
  });

  it('let the konnector change no policy but its guard', () => {
    const role = bundleManifests(bundle).find(({ kind }) => kind === 'ClusterRole');
    const rules = role?.['rules'] as readonly { apiGroups: string[]; verbs: string[]; resourceNames?: string[] }[];
    const ofPolicies = rules.filter(({ apiGroups }) => apiGroups.includes('admissionregistration.k8s.io'));

    expect(ofPolicies.map(({ verbs, resourceNames }) => ({ verbs, resourceNames }))).toEqual([
      { verbs: ['list', 'watch'], resourceNames: undefined },
      { verbs: ['patch'], resourceNames: [`klutch-guard-${id}`] },
    ]);
  });
});

describe('a bundle as a file', () => {
  const origin = { provider: 'Acme\nInc', clusterId: 'prod' };

  it('begins with what a reader has to know', () => {
    const head = headOf(bundle, origin).join('\n');

    expect(head).toContain(
      'Connects one Kubernetes cluster to Acme Inc and binds widgets.example.org, gadgets.example.org.',
    );
    expect(head).toContain('until 2026-03-02T12:00:00.000Z');
    expect(head).toContain(
      'klutch bind https://klutch.example/export --bundle --cluster-id prod --api widgets.example.org --api gadgets.example.org',
    );
    expect(head).not.toContain('sealed-token');
  });

  it('is one document in JSON', async () => {
    const lines: string[] = [];
    await printBundle({ print: (line) => lines.push(line) }, bundle, origin, 'json');

    expect(JSON.parse(lines.join('\n'))).toMatchObject({ kind: 'List', items: bundleManifests(bundle) });
  });
});
