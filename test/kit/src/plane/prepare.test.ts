import { createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { preparePlane } from './prepare.ts';

describe('preparing a plane', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kit-prepare-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  const read = (name: string) => readFile(join(dir, name), 'utf8');

  it('writes files that only this user can read', async () => {
    await preparePlane(dir, { audit: { policy: { kind: 'Policy' } } });
    for (const name of await readdir(dir)) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await read('audit-policy.json'))).toEqual({ kind: 'Policy' });
  });

  it('writes a key pair for service accounts whose halves match', async () => {
    await preparePlane(dir, {});
    const derived = createPublicKey(createPrivateKey(await read('service-account.key')));
    expect(derived.equals(createPublicKey(await read('service-account.pub')))).toBe(true);
  });

  it('writes each token user on a line of the form kube-apiserver reads', async () => {
    const { tokens } = await preparePlane(dir, {
      tokenUsers: [{ name: 'jane "the boss"', groups: ['a', 'b'], token: 'secret' }, { name: 'joe' }],
    });
    expect(await read('tokens.csv')).toBe(
      `"secret","jane ""the boss""","token-user-0","a,b"\n"${tokens.joe}","joe","token-user-1",""\n`,
    );
    expect(tokens['jane "the boss"']).toBe('secret');
  });

  it('never repeats an authority or a random token', async () => {
    const first = await preparePlane(dir, { tokenUsers: [{ name: 'dev' }] });
    const second = await preparePlane(dir, { tokenUsers: [{ name: 'dev' }] });
    expect(second.pki.certificate).not.toBe(first.pki.certificate);
    expect(second.tokens.dev).not.toBe(first.tokens.dev);
  });
});
