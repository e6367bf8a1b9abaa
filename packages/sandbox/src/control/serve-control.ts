import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scope } from '@klutch/kube';
import { writeOwnFile } from '../state/own-file.ts';
import type { Layout } from '../state/state.ts';
import type { SandboxInfo } from '../sandbox/options.ts';
import type { RunningFile } from './running.ts';

export interface ControlOptions {
  readonly layout: Layout;
  readonly info: SandboxInfo;
  /** Called when another process wants the sandbox to end. */
  readonly onStop: () => void;
}

/** The part of a sandbox that answers other processes of the same user. */
export interface Control {
  /** Tells those who asked for the end that it has come, and removes the file. */
  close(): Promise<void>;
}

/** Answers on a loopback port, to those who know the token in the file that it leaves in the folder. */
export async function serveControl({ layout, info, onStop }: ControlOptions): Promise<Control> {
  const token = randomBytes(24).toString('base64url');
  const over = scope();
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close');
    if (!isAllowed(request, token)) return void response.writeHead(401).end();
    if (request.method === 'GET') {
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(info));
    }
    if (request.method !== 'POST' || request.url !== '/stop') return void response.writeHead(404).end();
    void over.ended.then(() => response.end('stopped'));
    onStop();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const file: RunningFile = { pid: process.pid, url: `http://127.0.0.1:${port}`, token };
  await writeOwnFile(layout.running, `${JSON.stringify(file)}\n`);
  return {
    close: async () => {
      await rm(layout.running, { force: true });
      const closed = once(server, 'close');
      over.end();
      server.close();
      server.closeIdleConnections();
      const insist = setTimeout(() => server.closeAllConnections(), 1_000);
      await closed;
      clearTimeout(insist);
    },
  };
}

function isAllowed({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
