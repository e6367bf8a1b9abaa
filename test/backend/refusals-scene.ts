import { labels } from '@klutch/api';
import { type KubeObject, Namespaces } from '@klutch/kube';
import { onTestFinished } from 'vitest';
import type { WebOptions } from '../../packages/backend/src/process/options.ts';
import type { RecordedWrite } from '../konnector/world.ts';
import { provide, type SampleApi, sampleApi, type TestCluster } from './exports-world.ts';
import { type Launched, launch, untilLeading, untilReady, webFor } from './process-world.ts';
import { type Answer, type Browser, createBrowser, send, type SendOptions } from './scripted-browser.ts';
import { type Claims, type ScriptedIssuer, startScriptedIssuer } from './scripted-issuer.ts';
import { baseUrl } from './web-world.ts';

/** A backend with its web side on a control plane, and an issuer that lies when it is told to. */
export interface RefusalScene {
  readonly issuer: ScriptedIssuer;
  /** The replica that is asked; it does not lead. */
  readonly launched: Launched;
  readonly leader: Launched;
  /** Offered by the control plane. */
  readonly apis: readonly [SampleApi, SampleApi];
  browser(): Browser;
  call(path: string, options?: SendOptions): Promise<Answer>;
  /** Binds as a pipeline does, with a token of these claims. */
  bindAsMachine(claims: Claims, clusterId?: string): Promise<Answer>;
  /** What the backend has written because it was asked for something. */
  written(): readonly string[];
  /** Namespaces of app clusters on the control plane. */
  clusterNamespaces(): Promise<readonly string[]>;
}

/** Everything ends with the test. The backend answers and is ready, but nothing was asked of it. */
export async function openRefusalScene(plane: TestCluster, more: Partial<WebOptions> = {}): Promise<RefusalScene> {
  const issuer = await startScriptedIssuer({ clientId: 'klutch', clientSecret: 'client-secret' });
  onTestFinished(() => issuer.close());
  const apis = [sampleApi(), sampleApi()] as const;
  for (const api of apis) await provide(plane, api);
  const web = { ...webFor(issuer, baseUrl), ...more };
  const leader = await launch(plane, { offers: apis.map((api) => ({ api })), web });
  await untilLeading(leader);
  // Another replica runs the controllers, so that this one writes nothing but what it is asked for.
  const launched = await launch(plane, { of: leader });
  const port = Number(new URL(launched.backend.url()).port);
  const call = (path: string, options?: SendOptions) => send(new URL(path, baseUrl), options, port);
  await untilReady(launched);
  const existing = new Set(await namesIn(plane));
  return {
    issuer,
    launched,
    leader,
    apis,
    browser: () => createBrowser(baseUrl, () => port),
    call,
    bindAsMachine: (claims, clusterId = 'my-cluster') =>
      call('/bind-noninteractive', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${issuer.sign(claims)}` },
        body: JSON.stringify({
          clusterID: clusterId,
          apis: apis.map(({ type: { group, plural } }) => ({ group, resource: plural })),
        }),
      }),
    written: () => launched.writes.filter((write) => !isOwn(write)).map(({ method, path }) => `${method} ${path}`),
    clusterNamespaces: async () => (await namesIn(plane)).filter((name) => !existing.has(name)),
  };
}

/** Competing for the lease, and questions to the API server, which it does not store. */
function isOwn({ path, body = '' }: RecordedWrite): boolean {
  if (path.endsWith('/leases')) return (JSON.parse(body) as KubeObject).metadata.name === 'klutch-backend';
  return /\/leases\/klutch-backend$|reviews$/.test(path);
}

async function namesIn({ admin }: TestCluster): Promise<readonly string[]> {
  const { items } = await admin.resource(Namespaces).list({ labelSelector: labels.appCluster });
  return items.map(({ metadata }) => metadata.name ?? '');
}
