import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { eventually } from '../eventually.ts';
import { type Component, startComponent } from './component.ts';
import { isAlive } from './process-identity.ts';

describe('component', () => {
  let dir: string;
  let logFile: string;
  const started: Component[] = [];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kit-component-'));
    logFile = join(dir, 'component.log');
  });

  afterEach(async () => {
    await Promise.all(started.splice(0).map((component) => component.kill()));
    await rm(dir, { recursive: true });
  });

  async function start(script: string, env?: NodeJS.ProcessEnv): Promise<Component> {
    const component = await startComponent({
      name: 'sample',
      command: '/bin/sh',
      args: ['-c', script],
      cwd: dir,
      logFile,
      env,
    });
    started.push(component);
    return component;
  }

  const logged = (text: string) =>
    eventually(async () => (await readFile(logFile, 'utf8')).includes(text), { what: `log says ${text}` });

  it('runs the program in its folder under the id it reports, and logs what it prints', async () => {
    const component = await start('echo "process $$ in $PWD"; echo complaint >&2; exit 3');
    expect(await component.exited).toEqual({ code: 3, signal: null });
    expect(await readFile(logFile, 'utf8')).toBe(`process ${component.pid} in ${dir}\ncomplaint\n`);
    expect(component.isRunning()).toBe(false);
  });

  it('passes arguments on as they are', async () => {
    const args = ['-c', 'printf "%s|" "$@"', 'sh', 'two words', '$HOME', '"quoted"', ''];
    const component = await startComponent({ name: 'sample', command: '/bin/sh', args, cwd: dir, logFile });
    await component.exited;
    expect(await readFile(logFile, 'utf8')).toBe('two words|$HOME|"quoted"||');
  });

  it('gives the program the environment asked for', async () => {
    const component = await start('echo "colour $COLOUR"', { COLOUR: 'green', PATH: process.env.PATH });
    await component.exited;
    expect(await readFile(logFile, 'utf8')).toBe('colour green\n');
  });

  it('keeps the log of an earlier run', async () => {
    await (await start('echo first')).exited;
    await (await start('echo second')).exited;
    expect(await readFile(logFile, 'utf8')).toBe('first\nsecond\n');
  });

  it('reports a program that does not exist as one that ended', async () => {
    const component = await startComponent({ name: 'sample', command: './nothing', args: [], cwd: dir, logFile });
    expect((await component.exited).code).toBe(127);
    await logged('./nothing');
  });

  it('rejects when the folder to run in does not exist', async () => {
    const start = startComponent({ name: 'sample', command: 'true', args: [], cwd: join(dir, 'gone'), logFile });
    await expect(start).rejects.toMatchObject({ code: 'KLUTCH_KIT_START_FAILED' });
  });

  it('lets a program that listens end in its own way', async () => {
    const component = await start('trap "echo bye; exit 7" TERM; echo ready; while :; do sleep 0.02; done');
    await logged('ready');
    await component.stop({ graceMs: 10_000 });
    expect(await component.exited).toEqual({ code: 7, signal: null });
    await logged('bye');
  });

  it('insists when a program ignores the request to end', async () => {
    const component = await start('trap "" TERM; echo ready; while :; do sleep 0.02; done');
    await logged('ready');
    await component.stop({ graceMs: 20 });
    expect(await component.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('stops a paused program too', async () => {
    const component = await start('echo ready; while :; do sleep 0.02; done');
    await logged('ready');
    component.signal('SIGSTOP');
    expect(component.isRunning()).toBe(true);
    await component.stop({ graceMs: 10_000 });
    expect(await component.exited).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('may be stopped and killed again after its end', async () => {
    const component = await start('exit 0');
    await component.exited;
    await component.stop();
    await component.kill();
    expect(await component.exited).toEqual({ code: 0, signal: null });
  });

  it('leaves no guard behind when the program has ended', async () => {
    const component = await start('exec sleep 600');
    expect(await groupMembers(component.pid)).toHaveLength(2);
    await component.kill();
    const nobody = async () => (await groupMembers(component.pid)).length === 0;
    await eventually(nobody, { what: 'process group is empty' });
  });

  it.each([
    { condition: 'running', prepare: '' },
    { condition: 'paused', prepare: "component.signal('SIGSTOP');" },
  ])('dies with the process that started it, and so do its children, when $condition', async ({ prepare }) => {
    const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', ownerScript(prepare)], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const component = { pid: Number(line.toString()), startTicks: 0 };
    expect(isAlive(component)).toBe(true);
    const hasChildren = async () => (await groupMembers(component.pid)).length >= 2;
    await eventually(hasChildren, { what: 'the component has started its children' });

    owner.kill('SIGKILL');
    await once(owner, 'exit');

    const groupIsEmpty = async () => (await groupMembers(component.pid)).length === 0;
    await eventually(groupIsEmpty, { what: 'component and guard are gone' });
  });

  function ownerScript(prepare: string): string {
    const args = ['-c', 'sleep 600; exit 1'];
    const options = { name: 'sample', command: '/bin/sh', args, cwd: dir, logFile };
    return `
      const { startComponent } = await import(${JSON.stringify(new URL('./component.ts', import.meta.url).href)});
      const component = await startComponent(${JSON.stringify(options)});
      ${prepare}
      process.stdout.write(component.pid + '\\n');
    `;
  }
});

/** The living processes of a group: the component, which leads it, and its guard. */
async function groupMembers(group: number): Promise<number[]> {
  const ps = spawn('ps', ['-A', '-o', 'pid=,pgid=,stat='], { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks = (await ps.stdout.toArray()) as Buffer[];
  return Buffer.concat(chunks)
    .toString()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, pgid, state]) => Number(pgid) === group && !state?.startsWith('Z'))
    .map(([pid]) => Number(pid));
}
