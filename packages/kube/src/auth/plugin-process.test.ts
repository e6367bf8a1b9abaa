import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { type PluginCommand, runPlugin } from './plugin-process.ts';
import { testPlugin } from './test-plugin.ts';

const patient = new AbortController().signal;

async function run(body: string, change: Partial<PluginCommand> = {}, signal: AbortSignal = patient) {
  const plugin = await testPlugin(body);
  return runPlugin({ command: plugin.path, args: [], env: process.env, timeoutMs: 20_000, ...change }, signal);
}

/** Whether a process runs. One that has ended but that nobody has waited for is still listed, as a zombie. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('runPlugin', () => {
  it('yields exit code, output and what was said', async () => {
    const ended = await run(`console.log('out'); console.error('err'); process.exitCode = 3;`);

    expect(ended).toEqual({ end: 'exited', code: 3, stdout: 'out\n', stderr: 'err\n' });
  });

  it('passes arguments as they are, without a shell', async () => {
    const ended = await run(`console.log(JSON.stringify(process.argv.slice(2)));`, {
      args: ['$HOME', 'a b', '`x`', '"'],
    });

    expect(ended).toMatchObject({ stdout: '["$HOME","a b","`x`","\\""]\n' });
  });

  it('gives no standard input', async () => {
    const ended = await run(`console.log(fs.readFileSync(0, 'utf8').length);`);

    expect(ended).toMatchObject({ end: 'exited', code: 0, stdout: '0\n' });
  });

  it('copies what is said to the terminal as well', async () => {
    const shown: string[] = [];
    const stderr = new Writable({
      write: (chunk, _, done) => {
        shown.push(String(chunk));
        done();
      },
    });

    const ended = await run(`console.error('open https://login.example');`, { terminal: { stderr } });

    expect(shown.join('')).toBe('open https://login.example\n');
    expect(ended).toMatchObject({ stderr: 'open https://login.example\n' });
  });

  it('reports a command that does not exist or may not be executed', async () => {
    const { path, folder } = await testPlugin('');
    const command = { args: [], env: process.env, timeoutMs: 1000 };

    expect(await runPlugin({ ...command, command: `${path}-none` }, patient)).toEqual({
      end: 'not-started',
      code: 'ENOENT',
    });
    expect(await runPlugin({ ...command, command: folder }, patient)).toEqual({ end: 'not-started', code: 'EACCES' });
  });

  it('reports arguments that no process can have, without showing them', async () => {
    const ended = await run('', { args: ['hidden\0'] });

    expect(ended).toEqual({ end: 'not-started', code: 'ERR_INVALID_ARG_VALUE' });
  });

  it('reports a process that was killed', async () => {
    expect(await run(`process.kill(process.pid, 'SIGKILL');`)).toEqual({ end: 'killed', by: 'SIGKILL', stderr: '' });
  });

  it('ends a process that takes too long', async () => {
    const ended = await run('setInterval(() => {}, 1000);', { timeoutMs: 100 });

    expect(ended.end).toBe('timeout');
  });

  it('ends a process that ignores the polite signal, and the processes it started', async () => {
    const plugin = await testPlugin(`
      process.on('SIGTERM', () => log('asked to end'));
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      console.error('waiting');
      log(child.pid);
      setInterval(() => {}, 1000);
    `);
    const command = { command: plugin.path, args: [], env: process.env, timeoutMs: 20_000 };
    const stop = new AbortController();

    const running = runPlugin(command, stop.signal);
    await vi.waitFor(async () => expect(await plugin.logged()).toHaveLength(1), { timeout: 10_000 });
    stop.abort();

    expect(await running).toEqual({ end: 'aborted', stderr: 'waiting\n' });
    const [childPid, asked] = await plugin.logged();
    expect(asked).toBe('asked to end');
    await vi.waitFor(() => expect(isRunning(Number(childPid))).toBe(false), { timeout: 10_000 });
  });

  it('ends a process that writes without end', async () => {
    const ended = await run(`const more = () => process.stdout.write('x'.repeat(65536), more); more();`);

    expect(ended.end).toBe('too-much-output');
  });

  it('keeps only the last part of what is said, beginning with a whole word', async () => {
    const ended = await run(`process.stderr.write('s3cret'.repeat(2000) + ' the end');`);

    expect(ended).toMatchObject({ end: 'exited', stderr: '… the end' });
  });

  it('starts nothing when nobody waits any more', async () => {
    const plugin = await testPlugin(`log('ran');`);
    const command = { command: plugin.path, args: [], env: process.env, timeoutMs: 1000 };

    expect(await runPlugin(command, AbortSignal.abort())).toEqual({ end: 'aborted', stderr: '' });
    expect(await plugin.logged()).toEqual([]);
  });
});
