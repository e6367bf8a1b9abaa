import {
  APIServiceExportRequests,
  APIServiceExports,
  APIServiceNamespaces,
  apiVersion,
  kubeconfigOf,
  parseBindingResponse,
} from '@klutch/api';
import { connect, type KubeClient, parseKubeconfig } from '@klutch/kube';
import { onTestFinished } from 'vitest';
import { patiently } from '../backend/process-world.ts';
import { type Answer, send } from '../backend/scripted-browser.ts';
import type { ScriptedIssuer } from '../backend/scripted-issuer.ts';
import { baseUrl } from '../backend/web-world.ts';
import type { SampleApi } from '../konnector/world.ts';

export interface MachineBind {
  /** Port of the backend. */
  readonly port: number;
  readonly issuer: ScriptedIssuer;
  readonly apis: readonly SampleApi[];
  readonly clusterId: string;
  /** OAuth client that binds. Default `pipeline`. */
  readonly client?: string;
}

/** Binds as a pipeline does, and yields the answer, whatever it is. */
export async function bindAsMachine({
  port,
  issuer,
  apis,
  clusterId,
  client = 'pipeline',
}: MachineBind): Promise<Answer> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: client, client_id: client, aud: 'klutch', scope: 'klutch/bind', iat: now, exp: now + 300 };
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${issuer.sign(claims)}` };
  const wanted = apis.map(({ type: { group, plural } }) => ({ group, resource: plural }));
  const body = JSON.stringify({ clusterID: clusterId, apis: wanted });
  return send(new URL('/bind-noninteractive', baseUrl), { method: 'POST', headers, body }, port);
}

/** An app cluster that is bound, as it appears on the control plane. */
export interface BoundCluster {
  readonly clusterNamespace: string;
  readonly serviceNamespace: string;
  /** With the rights of the app cluster, and no others. */
  readonly client: KubeClient;
}

/** Goes on from the answer of a bind as CLI and konnector do: asks for the exports, and for a namespace. */
export async function settle(answer: Answer, apis: readonly SampleApi[]): Promise<BoundCluster> {
  const response = parseBindingResponse(answer.text);
  const config = parseKubeconfig(kubeconfigOf(response), { source: 'the answer', trust: 'foreign' });
  const client = connect(config, { userAgent: 'klutch-test/1' });
  onTestFinished(() => client.close());
  const namespace = config.namespace ?? '';
  for (const request of response.requests) {
    const metadata = { name: request.metadata?.name, namespace };
    await patiently(() => client.resource(APIServiceExportRequests).create({ ...request, metadata }));
  }
  for (const { name } of apis) await patiently(() => client.resource(APIServiceExports).find({ namespace, name }));
  const places = client.resource(APIServiceNamespaces);
  await places.create({ apiVersion, kind: 'APIServiceNamespace', metadata: { name: 'prod', namespace } });
  const serviceNamespace = await patiently(
    async () => (await places.get({ namespace, name: 'prod' })).status?.namespace,
  );
  return { clusterNamespace: namespace, serviceNamespace, client };
}
