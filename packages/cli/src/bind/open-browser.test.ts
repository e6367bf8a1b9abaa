import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../testing/run-klutch.ts';
import { browserCommand, openBrowser } from './open-browser.ts';

const url = 'https://x.example/authorize?a=1&b=2';

describe('CLI-06 the browser', () => {
  it.each([
    ['linux', { DISPLAY: ':0' }, 'xdg-open'],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
    ['linux', {}, undefined],
    ['linux', { DISPLAY: ':0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, undefined],
    ['linux', { BROWSER: '/usr/bin/lynx' }, '/usr/bin/lynx'],
    ['darwin', {}, 'open'],
    ['win32', {}, 'rundll32'],
  ] as const)('of %s with %j is %s', (platform, env, command) => {
    const found = browserCommand(url, platform, env);

    expect(found?.command).toBe(command);
    if (found) expect(found.args.at(-1)).toBe(url);
  });

  it('is started with the address as it is', async () => {
    const folder = await scratchFolder();
    const [program, note] = [join(folder, 'browser'), join(folder, 'note')];
    await writeFile(program, `#!/bin/sh\nprintf %s "$1" > '${note}.part' && mv '${note}.part' '${note}'\n`);
    await chmod(program, 0o755);

    expect(await openBrowser({ command: program, args: [url] })).toBe(true);
    expect(await eventually(() => readFile(note, 'utf8').catch(() => undefined), { withinMs: 30_000 })).toBe(url);
  });

  it('is done without when it does not start', async () => {
    expect(await openBrowser({ command: '/nowhere/browser', args: [url] })).toBe(false);
  });
});
