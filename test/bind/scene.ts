import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appCluster as names, crds, type PermissionClaim } from '@klutch/api';
import type { BackendOptions } from '@klutch/backend';
import type { Tier } from '@klutch/kit';
import { startKonnector } from '@klutch/konnector';
import { type Clock, connect, isKubeError, type KubeClient, parseKubeconfig, renderKubeconfig } from '@klutch/kube';
import { onTestFinished } from 'vitest';
import { ServiceAccounts } from '../../packages/backend/src/objects/service-account.ts';
import { type CommandRun, type CommandRunOptions, runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { provide } from '../backend/exports-world.ts';
import { type Launched, launch, untilReady, webFor } from '../backend/process-world.ts';
import { installKinds, openOwnCluster, type TestCluster } from '../konnector/clusters.ts';
import { type SampleApi, sampleApi } from '../konnector/world.ts';

/** What the backend claims of every app cluster. */
export const claim = {
  resource: 'secrets',
  version: 'v1',
  selector: { owner: 'Provider' },
} as const satisfies PermissionClaim;

/** A control plane with a backend, and an app cluster that nobody has bound. */
export interface Scene {
  readonly app: TestCluster;
  readonly controlPlane: TestCluster;
  readonly api: SampleApi;
  readonly backend: Launched;
  /** The address that a user gives to `klutch bind`. */
  readonly provider: string;
  /** A kubeconfig file of the app cluster's administrator. */
  readonly kubeconfig: string;
  /** Runs `klutch` for the app cluster. */
  klutch(args: readonly string[], options?: CommandRunOptions): CommandRun;
}

export interface SceneOptions {
  /** Starts the issuer; told where it has to send browsers back to. */
  readonly issuer: (callbackUrl: string) => Promise<{ readonly url: string; stop(): Promise<void> }>;
  readonly scopes?: readonly string[];
  readonly quotas?: BackendOptions['quotas'];
  readonly credentials?: BackendOptions['credentials'];
  /** Of backend and konnector; with it the konnector reports twice a second. */
  readonly clock?: Clock;
  /** Groups whose members bind for one tenant. Default: everybody is a tenant of their own. */
  readonly tenantGroups?: RegExp;
  /** APIs that are offered besides the one of the scene. */
  readonly otherApis?: readonly SampleApi[];
}

/** Everything ends with the test. Whatever `klutch` installs in the app cluster runs as it would in a pod. */
export async function openScene(tier: Tier, options: SceneOptions): Promise<Scene> {
  const { issuer: start, scopes, quotas, credentials, clock, tenantGroups, otherApis = [] } = options;
  const [app, controlPlane] = await Promise.all([openOwnCluster(tier), openOwnCluster(tier)]);
  onTestFinished(() => Promise.all([app.close(), controlPlane.close()]).then(() => undefined));
  await installKinds(controlPlane, crds);
  const api = sampleApi();
  for (const one of [api, ...otherApis]) await provide(controlPlane, one, { claims: [claim] });
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const issuer = await start(`${baseUrl}/callback`);
  onTestFinished(() => issuer.stop());
  const web = webFor(issuer, baseUrl);
  const backend = await launch(controlPlane, {
    offers: [api, ...otherApis].map((one) => ({ api: one, claims: [claim] })),
    web: {
      ...web,
      issuer: { ...web.issuer, scopes: scopes ?? web.issuer.scopes },
      policy: { ...web.policy, tenantGroups },
    },
    options: { listen: { host: '127.0.0.1', port }, ...(quotas && { quotas }), ...(credentials && { credentials }) },
    clock,
  });
  await untilReady(backend);
  const folder = await mkdtemp(join(tmpdir(), 'klutch-bind-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const kubeconfig = join(folder, 'config');
  await writeFile(kubeconfig, await app.kubeconfig(), { mode: 0o600 });
  runInstalledKonnector(app, clock);
  return {
    app,
    controlPlane,
    api,
    backend,
    provider: `${baseUrl}/export`,
    kubeconfig,
    klutch: (args, options) => runCommand([...args, '--kubeconfig', kubeconfig], options),
  };
}

/** The part of the kubelet: runs the konnector as soon as its Deployment and service account are there, with that account's rights. */
function runInstalledKonnector(app: TestCluster, clock: Clock | undefined): void {
  const stop = new AbortController();
  const running = (async () => {
    const token = await untilInstalled(app.admin, stop.signal);
    if (token === undefined) return;
    const text = renderKubeconfig({
      server: app.url,
      ca: app.caCertificate,
      namespace: names.namespace,
      user: { token },
    });
    const konnector = startKonnector(
      {
        mode: { kind: 'default' },
        local: parseKubeconfig(text, { source: 'the pod', trust: 'local' }),
        lease: { name: 'klutch-bind', namespace: names.namespace, identity: 'pod' },
        version: '1.2.3',
        bindingNamespace: names.namespace,
        ...(clock && { heartbeatMs: 500 }),
      },
      { signal: stop.signal, clock },
    );
    await konnector.stopped;
  })();
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
}

const deployment = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true };

async function untilInstalled(admin: KubeClient, signal: AbortSignal): Promise<string | undefined> {
  const ref = { namespace: names.namespace, name: names.konnector };
  while (!signal.aborted) {
    if (await admin.resource(deployment).find(ref)) return await tokenOf(admin);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return undefined;
}

async function tokenOf(admin: KubeClient): Promise<string> {
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { name: names.konnector, namespace: names.namespace },
    spec: { expirationSeconds: 3_600 },
  };
  const answer = await admin.resource(ServiceAccounts).create(request, { subresource: 'token' });
  return (answer['status'] as { readonly token: string }).token;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether a kubeconfig is still accepted. */
export async function isAccepted(kubeconfig: string): Promise<boolean> {
  const client = connect(parseKubeconfig(kubeconfig, { source: 'the test', trust: 'foreign' }), {
    userAgent: 'klutch-test/1',
  });
  try {
    await client.transport.json({
      method: 'GET',
      path: '/api',
      mode: 'call',
      about: { verb: 'get', resource: 'api', object: 'versions' },
    });
    return true;
  } catch (error) {
    if (isKubeError(error, 'KUBE_UNAUTHORIZED')) return false;
    throw error;
  } finally {
    await client.close();
  }
}
