import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controlPlaneKonnectorName } from '@klutch/api';
import { optionsFrom } from '@klutch/konnector';
import { renderKubeconfig } from '@klutch/kube';
import { onTestFinished } from 'vitest';
import { Deployments } from '../../packages/backend/src/objects/deployment.ts';
import { ServiceAccounts, type TokenRequest } from '../../packages/backend/src/objects/service-account.ts';
import type { TestCluster } from '../konnector/clusters.ts';
import { launch, quick, type TestKonnector } from '../konnector/run-konnector.ts';
import { patiently } from './process-world.ts';

/** A konnector that runs as long as the Deployment that describes it. */
export interface DeployedKonnector {
  /** Resolves when the Deployment is gone and the konnector has ended with it. */
  readonly ended: Promise<void>;
}

/** Runs the konnector that the Deployment of a binding describes, as its service account, as a node would. */
export async function runDeployed(
  { admin, url, caCertificate }: TestCluster,
  root: string,
  binding: string,
): Promise<DeployedKonnector> {
  const place = { namespace: root, name: controlPlaneKonnectorName(binding) };
  const { spec } = await patiently(() => admin.resource(Deployments).find(place));
  const account = { name: spec.template.spec.serviceAccountName, namespace: root };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: account, spec: {} };
  const answer = await admin.resource(ServiceAccounts).create(body, { subresource: 'token' });
  const token = (answer as unknown as TokenRequest).status?.token ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'klutch-deployed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'config');
  await writeFile(file, renderKubeconfig({ server: url, ca: caCertificate, user: { token } }));
  const args = (spec.template.spec.containers[0]?.args ?? []).map((arg) => arg.replace('$(POD_NAMESPACE)', root));
  const options = await optionsFrom([...args, `--kubeconfig=${file}`, '--health-port=none'], {}, '1.2.3');
  // A node starts a container again that has ended: its rights take effect a moment after the Deployment is there.
  const konnector = await patiently(() => launch({ ...options, probe: quick }));
  onTestFinished(() => konnector.stop());
  const ended = endWith(konnector, async () => (await admin.resource(Deployments).find(place)) === undefined);
  // Tests that do not wait for the end stop the konnector themselves.
  ended.catch(() => undefined);
  return { ended };
}

async function endWith(konnector: TestKonnector, isGone: () => Promise<boolean>): Promise<void> {
  await patiently(isGone);
  await konnector.stop();
}
