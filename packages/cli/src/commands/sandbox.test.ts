import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { klutch, runKlutch, scratchFolder } from '../testing/run-klutch.ts';

describe('klutch sandbox', () => {
  it('runs until it is told to end, and says how to use it', { timeout: 400_000 }, async () => {
    const home = await scratchFolder();
    const sandbox = runKlutch(['sandbox', 'up'], { XDG_DATA_HOME: home, HOME: home });
    const place = join(home, 'klutch', 'sandbox');
    await sandbox.says('Ctrl-C ends it.');
    const [, command = ''] = /^ {2}klutch (bind .*)$/m.exec(sandbox.err()) ?? [];
    expect(command).toMatch(/^bind http:\/\/127\.0\.0\.1:\d+\/export --api greetings\.sandbox\.klutch\.io /);
    expect(await readFile(join(place, 'kubeconfig'), 'utf8')).toContain('klutch-control-plane');
    await expect(access(join(home, '.kube'))).rejects.toThrow();

    const status = await klutch('sandbox', 'status', '--dir', place);
    expect(status.code).toBe(0);
    expect(status.out).toContain(`klutch ${command}`);

    const second = await klutch('sandbox', 'up', '--dir', place);
    expect(second.code).toBe(6);
    expect(second.err).toContain(`A sandbox runs already from ${place}`);
    const reset = await klutch('sandbox', 'reset', '--dir', place);
    expect(reset.code).toBe(6);
    expect(reset.err).toContain('klutch sandbox down');

    expect((await klutch('sandbox', 'down', '--dir', place)).code).toBe(0);
    expect(await sandbox.ended()).toBe(0);
    expect((await klutch('sandbox', 'reset', '--dir', place)).code).toBe(0);
    await expect(access(place)).rejects.toThrow();
  });

  it('starts again after it was killed, and ends in good order with Ctrl-C', { timeout: 300_000 }, async () => {
    const dir = await scratchFolder();
    const killed = runKlutch(['sandbox', 'up', '--dir', dir]);
    await killed.says('Ctrl-C ends it.');
    killed.process.kill('SIGKILL');
    expect(await killed.ended()).toBe('SIGKILL');

    const sandbox = runKlutch(['sandbox', 'up', '--dir', dir]);
    await sandbox.says('Ctrl-C ends it.');
    sandbox.process.kill('SIGINT');
    expect(await sandbox.ended()).toBe(0);
    expect(sandbox.err()).toContain('Stopping.');
    await expect(access(join(dir, 'running.json'))).rejects.toThrow();
  });

  it('says so when none runs', { timeout: 200_000 }, async () => {
    const dir = await scratchFolder();
    const status = await klutch('sandbox', 'status', '--dir', dir);
    expect(status.code).toBe(8);
    expect(status.err).toContain(`Error: No sandbox runs from ${dir}. Start one with \`klutch sandbox up\`.`);
    expect(await klutch('sandbox', 'down', '--dir', dir)).toMatchObject({ code: 0 });
    const reset = await klutch('sandbox', 'reset', '--dir', dir);
    expect(reset).toMatchObject({ code: 0, err: expect.stringContaining(`There is no sandbox in ${dir}.`) });
  });
});
