import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Clock, Logger } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { onTestFinished } from 'vitest';
import type { AuditRecord } from '../../packages/backend/src/audit/audit.ts';
import type { WebDeps } from '../../packages/backend/src/http/deps.ts';
import { startWeb, type WebServer } from '../../packages/backend/src/http/start-web.ts';
import { createIssuer } from '../../packages/backend/src/login/create-issuer.ts';
import type { Holder, TokenHolders } from '../../packages/backend/src/enrolment/token-holders.ts';
import type { DeviceMark, DeviceMarks } from '../../packages/backend/src/login/device-marks.ts';
import type { UsedTickets } from '../../packages/backend/src/login/used-tickets.ts';
import type { PolicyOptions, WebOptions } from '../../packages/backend/src/process/options.ts';
import { type Answer, type Browser, createBrowser, send, type SendOptions } from './scripted-browser.ts';
import { type ScriptedControlPlane, scriptedControlPlane } from './scripted-control-plane.ts';
import { type ScriptedIssuer, startScriptedIssuer } from './scripted-issuer.ts';

export const baseUrl = 'https://klutch.example';
export const client = { clientId: 'klutch', clientSecret: 'client-secret-hunter2' };

export interface WebWorld {
  /** Where browsers reach the backend. */
  readonly baseUrl: string;
  readonly issuer: ScriptedIssuer;
  readonly plane: ScriptedControlPlane;
  readonly port: number;
  /** Everything that was logged, a line each. */
  readonly lines: string[];
  /** What was recorded for the operator. */
  readonly audited: readonly AuditRecord[];
  browser(): Browser;
  /** A request of a program, straight to the backend. */
  call(path: string, options?: SendOptions): Promise<Answer>;
  /** A JSON request of a program. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Another replica, with the same key and the same control plane. */
  replica(): Promise<{ readonly port: number }>;
  /** Ends the server and returns when it has ended. */
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly policy?: Partial<PolicyOptions>;
  readonly options?: Partial<WebOptions>;
  readonly prettyName?: string;
  readonly plane?: ScriptedControlPlane;
  readonly clock?: Clock;
  readonly isIssuerDown?: boolean;
  readonly timing?: WebDeps['timing'];
  readonly livez?: WebDeps['livez'];
  readonly otherClientIds?: readonly string[];
  readonly clientSecrets?: WebOptions['issuer']['clientSecrets'];
  /** Address of another issuer to use instead of the scripted one. */
  readonly issuerUrl?: string;
  /** Lets real browsers in: the backend is then reached over http on loopback. */
  readonly isOpenToBrowsers?: boolean;
}

/** A backend on loopback, reached as `https://klutch.example` through something that terminates TLS, with an issuer. */
export async function startWebWorld(asked: WorldOptions = {}): Promise<WebWorld> {
  const issuer = await startScriptedIssuer(client, asked.isIssuerDown);
  const plane = asked.plane ?? scriptedControlPlane();
  const lines: string[] = [];
  const audited: AuditRecord[] = [];
  const usedTickets = memoryTickets();
  const tokenHolders = memoryHolders();
  const deviceMarks = memoryMarks();
  let port = 0;
  const front = asked.isOpenToBrowsers ? await startFront(() => port) : undefined;
  const address = front?.url ?? baseUrl;
  const options = webOptions(asked.issuerUrl ?? issuer.url, address, asked);
  const ends: (() => Promise<void>)[] = [];
  const stop = async () => {
    await Promise.all(ends.splice(0).map((end) => end()));
    await front?.close();
    await issuer.close();
  };
  onTestFinished(stop);
  ({ port } = await replica());
  return {
    baseUrl: address,
    issuer,
    plane,
    port,
    lines,
    audited,
    browser: () => createBrowser(address, () => port),
    call,
    post: (path, body, headers) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    replica,
    stop,
  };

  function call(path: string, sent?: SendOptions): Promise<Answer> {
    return send(new URL(path, address), sent, port);
  }

  async function replica(): Promise<{ readonly port: number }> {
    const abort = new AbortController();
    const log = linesLogger(lines);
    const found = createIssuer({
      issuer: options.issuer,
      signal: abort.signal,
      log,
      clock: asked.clock,
      keyCooldownMs: 0,
      secretEveryMs: asked.timing?.files,
    });
    const web = await startWeb(
      {
        options,
        catalogue: plane.catalogue,
        tenants: plane.tenants,
        issuer: found,
        usedTickets,
        tokenHolders,
        deviceMarks,
        audit: { record: (entry) => void audited.push(entry) },
        log,
        clock: asked.clock,
        livez: asked.livez,
        timing: asked.timing,
      },
      { host: '127.0.0.1', port: 0 },
      abort.signal,
    );
    ends.push(async () => {
      abort.abort();
      await web.stopped;
      await found.stopped;
    });
    if (!asked.isIssuerDown) await untilReady(web);
    return web;
  }
}

/** A port that is known before the backend starts, and leads to it. */
async function startFront(target: () => number): Promise<{ readonly url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(target(), '127.0.0.1');
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => sockets.delete(socket));
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Waits until catalogue and issuer are there. */
async function untilReady({ readyz }: WebServer): Promise<void> {
  await eventually(() => readyz.every(({ check }) => check(AbortSignal.timeout(1_000)) === undefined), {
    withinMs: 30_000,
  });
}

function webOptions(issuerUrl: string, baseUrl: string, asked: WorldOptions): WebDeps['options'] {
  return {
    version: '1.2.3',
    prettyName: asked.prettyName ?? 'Acme Cloud',
    baseUrl,
    issuer: {
      url: issuerUrl,
      clientId: client.clientId,
      clientSecrets: asked.clientSecrets ?? { value: [client.clientSecret] },
      callbackUrl: `${baseUrl}/callback`,
      scopes: ['openid', 'profile', 'email', 'groups'],
      otherClientIds: asked.otherClientIds ?? [],
    },
    policy: {
      allowAll: true,
      allowedUsers: [],
      allowedGroups: [],
      groupsClaim: 'groups',
      machines: {
        scope: 'klutch/bind',
        clients: new Map([
          ['pipeline', 'team-a'],
          ['robot', undefined],
        ]),
        audiences: ['klutch', baseUrl],
      },
      ...asked.policy,
    },
    sealingKeys: { value: [randomBytes(32)] },
    limits: { perSubject: 1_000, perAddress: 10_000 },
    ...asked.options,
  };
}

/** Marks in memory, shared by the replicas of a world. */
export function memoryTickets(): UsedTickets {
  const used = new Set<string>();
  return {
    use: async (id) => {
      const isNew = !used.has(id);
      used.add(id);
      return isNew;
    },
  };
}

/** Holders in memory, shared by the replicas of a world. */
export function memoryHolders(): TokenHolders {
  const held = new Map<string, { readonly holder: Holder; isRegistered: boolean }>();
  return {
    claim: async ({ id }, holder) => {
      const found = held.get(id) ?? { holder, isRegistered: false };
      held.set(id, found);
      if (found.holder.uid !== holder.uid) return { by: 'another cluster' };
      if (found.holder.key !== holder.key) return { by: 'another key' };
      return { by: 'presenter', isRegistered: found.isRegistered };
    },
    noteRegistered: async ({ id }) => {
      const found = held.get(id);
      if (found) found.isRegistered = true;
    },
  };
}

/** Marks of device logins in memory, shared by the replicas of a world. */
export function memoryMarks(): DeviceMarks {
  const marks = new Map<string, DeviceMark>();
  let version = 0;
  return {
    find: async (userCode) => marks.get(userCode),
    store: async (userCode, text, _, expected) => {
      if (marks.get(userCode)?.version !== expected) return false;
      version += 1;
      marks.set(userCode, { text, version: String(version) });
      return true;
    },
  };
}

export function linesLogger(lines: string[]): Logger {
  const write = (level: string) => (fields: object, message: string) => {
    lines.push(
      JSON.stringify({ level, message, ...fields }, (_, value: unknown) =>
        value instanceof Error ? { stack: value.stack, message: value.message, cause: value.cause } : value,
      ),
    );
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** What a command asks the browser to open. */
export function authorizePath(parameters: Readonly<Record<string, string | readonly string[]>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ p: '43210', s: 'sid123', c: 'cid456', ...parameters })) {
    for (const one of [value].flat()) query.append(name, one);
  }
  return `/authorize?${query.toString()}`;
}

/** Logs in through the issuer, up to the catalogue page. */
export async function login(
  browser: Browser,
  parameters?: Readonly<Record<string, string | readonly string[]>>,
): Promise<Answer> {
  return await browser.follow(await browser.get(authorizePath(parameters)));
}

/** The hidden token of the form on a catalogue page. */
export function tokenOn(page: Answer): string {
  const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1];
  if (token === undefined) throw new Error(`no form on the page (${page.status}): ${page.text.slice(0, 2000)}`);
  return token;
}

/** Ticks APIs on a catalogue page and sends its form. */
export async function submit(
  browser: Browser,
  page: Answer,
  apis: readonly string[],
  more: readonly (readonly [string, string])[] = [],
): Promise<Answer> {
  return await browser.post('/bind', [['token', tokenOn(page)], ...apis.map((api) => ['api', api] as const), ...more]);
}
