import { randomBytes } from 'node:crypto';
import { rm, rmdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readOwnFile, writeOwnFile } from './own-file.ts';
import type { Ports } from './ports.ts';

/** Where the parts of a sandbox keep what they keep, below its folder. */
export interface Layout {
  readonly dir: string;
  readonly controlPlane: string;
  readonly appCluster: string;
  readonly issuer: string;
  readonly kubeconfig: string;
  readonly state: string;
  /** There while the sandbox runs. */
  readonly running: string;
}

export function layoutOf(dir: string): Layout {
  return {
    dir,
    controlPlane: join(dir, 'control-plane'),
    appCluster: join(dir, 'app-cluster'),
    issuer: join(dir, 'issuer'),
    kubeconfig: join(dir, 'kubeconfig'),
    state: join(dir, 'state.json'),
    running: join(dir, 'running.json'),
  };
}

/** Where a sandbox lives unless told otherwise: in the user's folder for data, or in `~/.klutch`. */
export function defaultDir(env: NodeJS.ProcessEnv): string {
  const data = env['XDG_DATA_HOME'];
  return data ? join(data, 'klutch', 'sandbox') : join(homedir(), '.klutch', 'sandbox');
}

/** What a sandbox remembers from one start to the next. */
export interface State {
  readonly ports: Ports;
  /** What the user `developer` types. */
  readonly password: string;
  /** Shared by backend and issuer. */
  readonly clientSecret: string;
  /** Of the client `pipeline`, which binds without a person. */
  readonly machineSecret: string;
  /** Base64; seals the backend's tickets. */
  readonly sealingKey: string;
}

/** What is remembered, and new secrets for what is not. Ports come from `firstPorts` the first time. */
export async function openState({ state: file }: Layout, firstPorts: Ports): Promise<State> {
  const known: Partial<State> = (await readOwnFile<Partial<State>>(file)) ?? {};
  return {
    ports: { ...firstPorts, ...known.ports },
    password: known.password ?? randomBytes(6).toString('base64url'),
    clientSecret: known.clientSecret ?? randomBytes(24).toString('base64url'),
    machineSecret: known.machineSecret ?? randomBytes(24).toString('base64url'),
    sealingKey: known.sealingKey ?? randomBytes(32).toString('base64'),
  };
}

export async function saveState({ state: file }: Layout, state: State): Promise<void> {
  await writeOwnFile(file, `${JSON.stringify(state, undefined, 2)}\n`);
}

/** Removes everything a sandbox has left, and its folder if nothing else is in it. */
export async function removeState({ dir, ...parts }: Layout): Promise<void> {
  for (const part of Object.values(parts)) await rm(part, { recursive: true, force: true });
  // Whatever else is there belongs to somebody.
  await rmdir(dir).catch(() => undefined);
}
