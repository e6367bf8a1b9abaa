import { appCluster as names } from '@klutch/api';
import { parseKubeconfig, renderKubeconfig, type ResourceType } from '@klutch/kube';
import { openAppSide } from '../konnector/app-side.ts';
import { konnectorOptions, launch, type TestKonnector } from '../konnector/run-konnector.ts';
import type { Stage } from './bind-stage.ts';

/**
 * Runs the konnector that a command has installed: in this process, but as the service account, and hence with exactly the
 * rights, that the installation gave it. Stop it.
 */
export async function runInstalledKonnector({ app }: Stage): Promise<TestKonnector> {
  const answer = await app.admin.resource(ServiceAccounts).create(
    {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { name: names.konnector, namespace: names.namespace },
      spec: { expirationSeconds: 3600 },
    },
    { subresource: 'token' },
  );
  const { token } = answer['status'] as { readonly token: string };
  const text = renderKubeconfig({ server: app.url, ca: app.caCertificate, user: { token } });
  const side = await openAppSide(app, names.namespace);
  const options = konnectorOptions(side, parseKubeconfig(text, { source: 'the test', trust: 'local' }));
  // As it would be deployed: no shorter times than usual.
  return launch({ ...options, probe: undefined });
}

const ServiceAccounts: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
};
