import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash, randomUUID } from 'node:crypto';
import {
  APIServiceExportRequests,
  type APIServiceExportRequestResponse,
  apiName,
  apiVersion,
  type BindingResponse,
  encodeBindingResponse,
  type PermissionClaim,
} from '@klutch/api';
import { informerSource, runController, startInformer } from '@klutch/kube';
import type { SampleApi, TestCluster, TestTenant } from '../konnector/world.ts';

/** An answer in place of the usual one. */
export interface Scripted {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string | object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Never answers. */
  readonly isSilent?: boolean;
}

/** An API that the provider offers. */
export interface Offer {
  readonly api: SampleApi;
  readonly claims?: readonly PermissionClaim[];
  /** What happens to requests: exported, refused with this reason, or left pending. Default: exported. */
  readonly fate?: { readonly failed: string } | 'pending';
}

/** How the answer of a login reaches the command. */
export type Delivery = 'standard alphabet' | 'URL-safe alphabet' | 'code';

/** A backend as commands see it, which does what a test says and hands out a real tenant of a real control plane. */
export interface ScriptedProvider {
  /** Address of the description. */
  readonly url: string;
  /** What it was asked, in order. */
  readonly calls: readonly { readonly method: string; readonly path: string; readonly body: string }[];
  /** Parameters of the last login. */
  readonly logins: readonly URLSearchParams[];
  /** Everything secret that it has handed out. */
  readonly secrets: readonly string[];
  /** Answers differently at a path from now on. */
  script(path: string, answer: Scripted | undefined): void;
  /** Chooses how answers travel. Default: a code, where the command can redeem one. */
  deliver(delivery: Delivery): void;
  /** Chooses what the user ticks when the login names nothing. */
  choose(...offers: readonly Offer[]): void;
  /** Sends a browser to an address that a command printed, as a user who logs in and confirms. Yields the last page. */
  visit(url: string): Promise<{ readonly status: number; readonly url: string; readonly text: string }>;
  close(): Promise<void>;
}

export async function startScriptedProvider(
  cluster: TestCluster,
  tenant: TestTenant,
  offers: readonly Offer[],
): Promise<ScriptedProvider> {
  const calls: { method: string; path: string; body: string }[] = [];
  const logins: URLSearchParams[] = [];
  const secrets: string[] = [];
  const scripts = new Map<string, Scripted>();
  const codes = new Map<string, { response: BindingResponse; challenge: string }>();
  let delivery: Delivery = 'code';
  let chosen = offers;
  const stopAnswering = answerRequests(cluster, tenant, offers);

  const responseFor = async (names: readonly string[], sid: string): Promise<BindingResponse> => {
    const kubeconfig = await tenant.kubeconfig();
    secrets.push(/token: (\S+)/.exec(kubeconfig)?.[1] ?? '');
    const wanted = names.length > 0 ? offers.filter(({ api }) => names.includes(api.name)) : chosen;
    return {
      apiVersion,
      kind: 'BindingResponse',
      authentication: { oauth2CodeGrant: { sid, id: 'https://issuer.example/jane' } },
      kubeconfig: Buffer.from(kubeconfig).toString('base64'),
      requests: wanted.map(requestFor),
    };
  };

  const routes: Readonly<Record<string, (url: URL, body: string, request: IncomingMessage) => Promise<Scripted>>> = {
    '/export': async () => ({
      body: {
        apiVersion: 'v1alpha1',
        kind: 'BindingProvider',
        providerPrettyName: 'Scripted provider',
        version: 'v1.5.0',
        authenticationMethods: [
          { method: 'OAuth2CodeGrant', oauth2CodeGrant: { authenticatedURL: `${address()}/authorize?from=test` } },
          { method: 'DeviceCode' },
        ],
      },
    }),
    '/authorize': async ({ searchParams }) => {
      logins.push(searchParams);
      const response = await responseFor(searchParams.getAll('a'), searchParams.get('s') ?? '');
      const target = new URL(`http://localhost:${searchParams.get('p')}/callback`);
      const challenge = searchParams.get('x');
      if (delivery === 'code' && challenge !== null) {
        const code = randomUUID();
        codes.set(code, { response, challenge });
        target.searchParams.set('code', code);
        target.searchParams.set('sid', searchParams.get('s') ?? '');
      } else {
        const text = encodeBindingResponse(response);
        const safe = text.replaceAll('+', '-').replaceAll('/', '_');
        target.searchParams.set('response', delivery === 'URL-safe alphabet' ? safe : text);
      }
      return { status: 302, headers: { location: target.href } };
    },
    '/redeem': async (_, body) => {
      const { code, verifier } = JSON.parse(body) as { code: string; verifier: string };
      const found = codes.get(code);
      const isGenuine = found?.challenge === createHash('sha256').update(verifier).digest('base64url');
      if (found === undefined || !isGenuine) {
        return { status: 400, body: { code: 'KLUTCH_LOGIN_STATE_INVALID', message: 'The code is not valid.' } };
      }
      codes.delete(code);
      return { body: found.response };
    },
    '/token': async (_, body, { headers }) => {
      const basic = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
      if (basic !== 'robot:robot-secret') return { status: 401, body: { error: 'invalid_client' } };
      const scope = new URLSearchParams(body).get('scope');
      if (scope !== 'klutch/bind') return { status: 400, body: { error: 'invalid_scope' } };
      return { body: { access_token: 'robot-token', token_type: 'Bearer', expires_in: 300 } };
    },
    '/bind-noninteractive': async (_, body, { headers }) => {
      if (headers.authorization !== 'Bearer robot-token') {
        return { status: 401, body: { code: 'KLUTCH_TOKEN_INVALID', message: 'The token is not good.' } };
      }
      const { apis } = JSON.parse(body) as { apis: readonly { group: string; resource: string }[] };
      return { body: await responseFor(apis.map(apiName), '') };
    },
    '/device': async () => ({
      body: {
        device_code: 'device-of-the-test',
        user_code: 'ABCD-EFGH',
        verification_uri: 'https://issuer.example/device',
        interval: 0.01,
        expires_in: 60,
      },
    }),
    '/device/token': async () => {
      const asked = calls.filter(({ path }) => path === '/device/token').length;
      if (asked < 2) return { status: 400, body: { error: 'slow_down' } };
      return { body: await responseFor([], '') };
    },
  };

  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', address());
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += String(part);
    calls.push({ method: request.method ?? '', path: url.pathname, body });
    const scripted = scripts.get(url.pathname);
    if (scripted?.isSilent) return;
    const answer = scripted ??
      (await routes[url.pathname]?.(url, body, request)) ?? { status: 404, body: 'nothing here' };
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
    const type = answer.type ?? (typeof answer.body === 'string' ? 'text/plain' : 'application/json');
    response.writeHead(answer.status ?? 200, { 'content-type': type, ...answer.headers }).end(text);
  }

  return {
    get url() {
      return `${address()}/export`;
    },
    calls,
    logins,
    secrets,
    script: (path, answer) => void (answer === undefined ? scripts.delete(path) : scripts.set(path, answer)),
    deliver: (next) => {
      delivery = next;
    },
    choose: (...next) => {
      chosen = next;
    },
    visit: async (url) => {
      const answer = await fetch(url);
      return { status: answer.status, url: answer.url, text: await answer.text() };
    },
    close: async () => {
      await stopAnswering();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The request for one offer, as a backend hands it out. */
export function requestFor({ api, claims }: Offer): APIServiceExportRequestResponse {
  const { group, plural } = api.type;
  return {
    apiVersion,
    kind: 'APIServiceExportRequest',
    metadata: { name: api.name },
    spec: { resources: [{ group, resource: plural, ...(claims && { permissionClaims: [...claims] }) }] },
  };
}

/** Does with export requests what a backend does. */
function answerRequests(cluster: TestCluster, tenant: TestTenant, offers: readonly Offer[]): () => Promise<void> {
  const stop = new AbortController();
  const requests = cluster.admin.resource(APIServiceExportRequests);
  const informer = startInformer({ client: requests, namespace: tenant.clusterNamespace }, stop.signal);
  const controller = runController({
    name: 'stand-in-for-requests',
    sources: [informerSource(informer)],
    signal: stop.signal,
    reconcile: async (key) => {
      const request = informer.cache.getByKey(key);
      if (request === undefined || (request.status?.phase ?? 'Pending') !== 'Pending') return;
      const wanted = request.spec.resources.map((one) => offers.find(({ api }) => api.name === apiName(one)));
      if (wanted.some((offer) => offer?.fate === 'pending')) return;
      const refused = wanted.map((offer) => (offer === undefined ? 'No template offers it' : failureOf(offer)));
      const terminalMessage = refused.find((reason) => reason !== undefined);
      if (terminalMessage === undefined) {
        for (const offer of wanted) if (offer) await tenant.publish(offer.api, { claims: offer.claims });
      }
      const status = terminalMessage === undefined ? { phase: 'Succeeded' } : { phase: 'Failed', terminalMessage };
      const { name = '', namespace } = request.metadata;
      await requests.patch({ name, namespace }, { type: 'merge', patch: { status } }, { subresource: 'status' });
    },
  });
  return async () => {
    stop.abort();
    await controller.stopped;
    await informer.stopped;
  };
}

function failureOf({ fate }: Offer): string | undefined {
  return typeof fate === 'object' ? fate.failed : undefined;
}
