import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runNode } from '../testing/run-klutch.ts';

const stubborn = fileURLToPath(new URL('../testing/stubborn-command.ts', import.meta.url));

describe('a user who interrupts', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('once is waited for, and twice is not, by %s', async (signal, code) => {
    const command = runNode(['--import', 'tsx', stubborn]);
    await command.says('ready\n');

    command.process.kill('SIGINT');
    await command.says('stopping\n');
    command.process.kill(signal);

    expect(await command.ended()).toBe(code);
  });
});
