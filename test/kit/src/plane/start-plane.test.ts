import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '../eventually.ts';
import { createAuthority } from '../pki/authority.ts';
import { createNamespace, describeReal } from '../vitest/index.ts';
import type { Plane } from './plane.ts';
import { startPlane } from './start-plane.ts';
import type { PlaneUser } from './user.ts';

const KUBECTL = 'kubectl';
const kubectlIsInstalled = spawnSync(KUBECTL, ['version', '--client']).status === 0;

describeReal('a plane', () => {
  let plane: Plane;

  beforeAll(async () => {
    const started = performance.now();
    plane = await startPlane({
      tokenUsers: [{ name: 'dev', groups: ['developers'] }],
      audit: { policy: { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] } },
      apiServerFlags: ['--api-audiences=tests'],
      featureGates: { WatchList: false },
    });
    console.log(`plane ready in ${Math.round(performance.now() - started)} ms`);
  });
  afterAll(() => plane.stop());

  it('answers as the Kubernetes version it was built from', async () => {
    const { body } = await plane.admin.request<{ gitVersion: string }>('GET', '/version');
    expect(body.gitVersion).toMatch(/^v1\.\d+\.\d+/);
  });

  it('gives every namespace its service account and root certificate', async () => {
    const namespace = await createNamespace(plane);
    for (const path of ['serviceaccounts/default', 'configmaps/kube-root-ca.crt']) {
      await found(plane, `/api/v1/namespaces/${namespace}/${path}`);
    }
  });

  it('deletes namespaces with what is in them', async () => {
    const namespace = await createNamespace(plane);
    const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'content' } };
    expect((await plane.admin.request('POST', configMaps, { body })).status).toBe(201);
    await plane.admin.request('DELETE', `/api/v1/namespaces/${namespace}`);
    await gone(plane, `/api/v1/namespaces/${namespace}`);
  });

  it('collects what belonged to a deleted owner', async () => {
    const namespace = await createNamespace(plane);
    const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
    const configMap = (metadata: object) => ({ body: { apiVersion: 'v1', kind: 'ConfigMap', metadata } });
    const owner = await plane.admin.request<{ metadata: { uid: string } }>(
      'POST',
      configMaps,
      configMap({ name: 'owner' }),
    );
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.body.metadata.uid }];
    await plane.admin.request('POST', configMaps, configMap({ name: 'owned', ownerReferences }));
    await plane.admin.request('DELETE', `${configMaps}/owner`);
    await gone(plane, `${configMaps}/owned`);
  });

  describe('knows its users', () => {
    it('refuses a token user until RBAC allows', async () => {
      const namespace = await createNamespace(plane);
      const user = plane.tokenUser('dev');
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      expect((await user.request('GET', path)).status).toBe(403);
      await allowReadingConfigMaps(plane, namespace, { kind: 'Group', name: 'developers' });
      await eventually(async () => (await user.request('GET', path)).status === 200, { what: 'role takes effect' });
    });

    it('refuses a certificate user until RBAC allows', async () => {
      const namespace = await createNamespace(plane);
      const user = await plane.certificateUser({ name: 'jane', groups: ['reviewers'] });
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      expect((await user.request('GET', path)).status).toBe(403);
      await allowReadingConfigMaps(plane, namespace, { kind: 'User', name: 'jane' });
      await eventually(async () => (await user.request('GET', path)).status === 200, { what: 'role takes effect' });
    });

    it('by their names and groups', async () => {
      expect(await whoAmI(await plane.certificateUser({ name: 'jane', groups: ['a', 'b'] }))).toEqual({
        username: 'jane',
        groups: ['a', 'b', 'system:authenticated'],
      });
      expect(await whoAmI(plane.tokenUser('dev'))).toMatchObject({
        username: 'dev',
        groups: ['developers', 'system:authenticated'],
      });
    });

    it('as service accounts, while these exist', async () => {
      const namespace = await createNamespace(plane);
      await found(plane, `/api/v1/namespaces/${namespace}/serviceaccounts/default`);
      const user = await plane.serviceAccountUser({ namespace, name: 'default' });
      expect(await whoAmI(user)).toMatchObject({ username: `system:serviceaccount:${namespace}:default` });
      await expect(plane.serviceAccountUser({ namespace, name: 'nobody' })).rejects.toThrow(
        `no token for ${namespace}/nobody: serviceaccounts "nobody" not found`,
      );
    });

    it('and nobody else', async () => {
      const stranger = await plane.certificateUser({ name: 'admin', authority: await createAuthority('elsewhere') });
      const late = await plane.certificateUser({ name: 'admin', notAfter: new Date(Date.now() - 1_000) });
      expect((await stranger.request('GET', '/api/v1/namespaces')).status).toBe(401);
      expect((await late.request('GET', '/api/v1/namespaces')).status).toBe(401);
      expect(() => plane.tokenUser('nobody')).toThrow('declare it in startPlane({ tokenUsers })');
    });
  });

  it.runIf(kubectlIsInstalled)('is a cluster for kubectl', async () => {
    const args = ['--kubeconfig', plane.admin.kubeconfigPath, 'get', 'namespace', 'default'];
    const { stdout } = await promisify(execFile)(KUBECTL, [...args, '-o', 'jsonpath={.status.phase}']);
    expect(stdout).toBe('Active');
  });

  it('runs with the feature gates asked for', async () => {
    const { body } = await plane.admin.request<string>('GET', '/metrics');
    expect(body).toMatch(/^kubernetes_feature_enabled\{name="WatchList",.*\} 0$/m);
  });

  it('runs with the flags asked for', async () => {
    const { credentials } = await plane.serviceAccountUser({ namespace: 'default', name: 'default' });
    const [, claims = ''] = 'token' in credentials ? credentials.token.split('.') : [];
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString()).aud).toEqual(['tests']);
  });

  it('writes the audit log asked for', async () => {
    const namespace = await createNamespace(plane, 'audited');
    const log = await eventually(
      async () => {
        const text = await readFile(plane.auditLog ?? '', 'utf8');
        return text.includes(namespace) && text;
      },
      { what: 'audit log names the namespace' },
    );
    expect(log).toContain('"verb":"create"');
  });

  it('keeps its objects, address and users over a restart of the API server', async () => {
    const namespace = await createNamespace(plane);
    const before = plane.pids().kubeApiserver;
    await plane.restartApiServer();
    expect(plane.pids().kubeApiserver).not.toBe(before);
    const { status } = await plane.admin.request('GET', `/api/v1/namespaces/${namespace}`);
    expect(status).toBe(200);
  });

  it('can be silent for a while', async () => {
    plane.pauseApiServer();
    await expect(plane.admin.request('GET', '/readyz', { timeoutMs: 200 })).rejects.toThrow(/abort/i);
    plane.resumeApiServer();
    await eventually(async () => (await plane.admin.request('GET', '/readyz')).status === 200, { what: 'ready again' });
  });

  it('can be away for a while', async () => {
    await plane.stopApiServer();
    await expect(plane.admin.request('GET', '/readyz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await plane.startApiServer();
    expect((await plane.admin.request('GET', '/readyz')).status).toBe(200);
  });
});

async function found(plane: Plane, path: string): Promise<void> {
  await eventually(async () => (await plane.admin.request('GET', path)).status === 200, { what: `${path} is there` });
}

async function gone(plane: Plane, path: string): Promise<void> {
  await eventually(async () => (await plane.admin.request('GET', path)).status === 404, { what: `${path} is gone` });
}

async function whoAmI(user: PlaneUser): Promise<unknown> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const answer = await user.request<{ status: { userInfo: { username: string; groups: string[] } } }>('POST', path, {
    body,
  });
  const { username, groups } = answer.body.status.userInfo;
  return { username, groups };
}

async function allowReadingConfigMaps(
  plane: Plane,
  namespace: string,
  subject: { kind: 'User' | 'Group'; name: string },
): Promise<void> {
  const group = 'rbac.authorization.k8s.io';
  const path = `/apis/${group}/v1/namespaces/${namespace}`;
  const metadata = { name: 'reader' };
  const role = { metadata, rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }] };
  const roleRef = { apiGroup: group, kind: 'Role', name: 'reader' };
  const binding = { metadata, subjects: [{ apiGroup: group, ...subject }], roleRef };
  await plane.admin.request('POST', `${path}/roles`, { body: role });
  await plane.admin.request('POST', `${path}/rolebindings`, { body: binding });
}
