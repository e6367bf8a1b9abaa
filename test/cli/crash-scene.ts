import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  annotations,
  APIServiceBindings,
  APIServiceExports,
  appCluster as names,
  kubeconfigKey,
  labels,
} from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { Namespaces, parseKubeconfig, type Secret, Secrets } from '@klutch/kube';
import { startIssuer } from '@klutch/sandbox';
import { expect } from 'vitest';
import { runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import { openScene, type Scene, type SceneOptions } from '../bind/scene.ts';
import type { TestCluster } from '../konnector/world.ts';

/** A scene in which machines bind, so that nobody has to log in again after each kill. */
export interface CrashScene extends Scene {
  /** Arguments of `klutch bind` that bind the API of the scene. */
  readonly bindArgs: readonly string[];
}

const robot = { id: 'pipeline', secret: 'robot-secret' };

/** Everything ends with the test. */
export async function openCrashScene(
  tier: Tier,
  {
    clustersPerTenant = 500,
    otherApis,
  }: { readonly clustersPerTenant?: number } & Pick<SceneOptions, 'otherApis'> = {},
): Promise<CrashScene> {
  let issuerUrl = '';
  const scene = await openScene(tier, {
    otherApis,
    quotas: { clustersPerTenant, namespacesPerCluster: 10, objectsPerNamespace: 1000 },
    issuer: async (callbackUrl) => {
      const issuer = await startIssuer({
        users: [],
        clients: [
          { kind: 'web', id: 'klutch', secret: 'client-secret', redirectUris: [callbackUrl] },
          { kind: 'machine', ...robot },
        ],
      });
      issuerUrl = issuer.url;
      return issuer;
    },
  });
  const discovery = (await (await fetch(`${issuerUrl}/.well-known/openid-configuration`)).json()) as {
    readonly token_endpoint: string;
  };
  const credentials = join(await scratchFolder(), 'credentials');
  const lines = [`client_id: ${robot.id}`, `client_secret: ${robot.secret}`, `token_url: ${discovery.token_endpoint}`];
  await writeFile(credentials, `${lines.join('\n')}\n`, { mode: 0o600 });
  const bindArgs = ['bind', scene.provider, '--non-interactive', '--credentials-file', credentials];
  return { ...scene, bindArgs: [...bindArgs, '--api', scene.api.name, '--accept-claims', 'all'] };
}

/** Runs a command that was not killed. */
export async function klutch(...args: readonly string[]) {
  const run = runCommand(args);
  return { code: await run.ended(), out: run.out(), err: run.err() };
}

/** What `klutch status` prints. */
export async function statusOf(kubeconfig: string) {
  const { code, out, err } = await klutch('status', '-o', 'json', '--kubeconfig', kubeconfig);
  expect(code, err).toBe(0);
  return JSON.parse(out) as {
    readonly bindings: readonly { readonly api: string }[];
    readonly unfinished: readonly { readonly apis: readonly string[]; readonly message: string }[];
  };
}

/** What there is of a binding, in the app cluster and on the control plane. */
export async function remainsOf({ api, controlPlane }: Scene, app: TestCluster) {
  const { items } = await app.admin.resource(Secrets).list({ namespace: names.namespace });
  const secrets = items.filter(({ metadata }) => metadata.name?.startsWith('kubeconfig-'));
  const ref = { namespace: names.namespace, name: api.name };
  const binding = await app.admin
    .resource(APIServiceBindings)
    .find(ref)
    .catch(() => undefined);
  const [namespace] = secrets.map(namespaceOf);
  const exported =
    namespace && (await controlPlane.admin.resource(APIServiceExports).find({ namespace, name: api.name }));
  return { binding, secrets, kubeconfigs: secrets.map(kubeconfigIn), exported: exported || undefined };
}

/** Cluster namespaces of the control plane. */
export async function registrationsOf({ controlPlane }: Scene): Promise<readonly string[]> {
  const { items } = await controlPlane.admin.resource(Namespaces).list({ labelSelector: labels.backend });
  return items.flatMap(({ metadata }) =>
    metadata.annotations?.[annotations.apiServiceNamespace] === undefined ? [metadata.name ?? ''] : [],
  );
}

function namespaceOf(secret: Secret): string {
  return parseKubeconfig(kubeconfigIn(secret), { source: 'the test', trust: 'foreign' }).namespace ?? '';
}

function kubeconfigIn(secret: Secret): string {
  return Buffer.from(secret.data?.[kubeconfigKey] ?? '', 'base64').toString();
}
