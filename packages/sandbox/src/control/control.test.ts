import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@klutch/kube/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SandboxInfo } from '../sandbox/options.ts';
import { type Layout, layoutOf } from '../state/state.ts';
import { findRunning, type RunningFile } from './running.ts';
import { type Control, serveControl } from './serve-control.ts';

let layout: Layout;
let info: SandboxInfo;
let control: Control | undefined;
let stops: number;

beforeEach(async () => {
  layout = layoutOf(await mkdtemp(join(tmpdir(), 'klutch-control-')));
  info = {
    dir: layout.dir,
    kubeconfig: layout.kubeconfig,
    appCluster: 'https://127.0.0.1:1',
    controlPlane: 'https://127.0.0.1:2',
    provider: 'http://127.0.0.1:3/export',
    issuer: 'http://127.0.0.1:4',
    user: { name: 'developer', password: 'hush' },
    api: 'greetings.sandbox.klutch.io',
  };
  stops = 0;
});
afterEach(async () => {
  await control?.close();
  control = undefined;
  await rm(layout.dir, { recursive: true });
});

const serve = async () => {
  control = await serveControl({ layout, info, onStop: () => void stops++ });
};

it('tells others that it runs, and how to use it', async () => {
  expect(await findRunning(layout)).toBeUndefined();
  await serve();
  expect(await findRunning(layout)).toMatchObject({ pid: process.pid, info });
});

it('tells nothing to those who cannot read its file', async () => {
  await serve();
  const { url } = JSON.parse(await readFile(layout.running, 'utf8')) as RunningFile;
  for (const authorization of ['', 'Bearer guess']) {
    const answer = await fetch(url, { headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toBe('');
    expect((await fetch(`${url}/stop`, { method: 'POST', headers: { authorization } })).status).toBe(401);
  }
  expect(stops).toBe(0);
});

it('ends on request, and says so when it has', async () => {
  await serve();
  const running = await findRunning(layout);
  let isTold = false;
  const told = running?.stop().then(() => {
    isTold = true;
  });
  await eventually(() => stops > 0);
  expect(isTold).toBe(false);
  await control?.close();
  control = undefined;
  await told;
  expect(await findRunning(layout)).toBeUndefined();
  await expect(access(layout.running)).rejects.toThrow();
});

it('is not taken for running because of the file of one that was killed', async () => {
  const file: RunningFile = { pid: process.pid, url: 'http://127.0.0.1:1', token: 't' };
  await writeFile(layout.running, JSON.stringify(file));
  expect(await findRunning(layout)).toBeUndefined();
});
