import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rejection } from '../kubeconfig/test-kubeconfig.ts';
import { pemReader } from './pem-reader.ts';
import { first, second } from './test-certificates.ts';
import { testFolder } from './test-folder.ts';

describe('pemReader', () => {
  it('yields embedded certificates', async () => {
    expect(await pemReader({ from: 'data', pem: first.certificate })()).toBe(first.certificate);
  });

  it('follows a file that changes on disk', async () => {
    const path = join(await testFolder(), 'ca.crt');
    let now = 0;
    await writeFile(path, first.certificate);
    const read = pemReader({ from: 'file', path }, { now: () => now });
    expect(await read()).toBe(first.certificate);

    await writeFile(path, second.certificate);
    expect(await read()).toBe(first.certificate);
    now += 10_000;

    expect(await read()).toBe(second.certificate);
  });

  it('keeps the last good certificates while the file holds something else', async () => {
    const path = join(await testFolder(), 'ca.crt');
    let now = 0;
    await writeFile(path, first.certificate);
    const read = pemReader({ from: 'file', path }, { now: () => now });
    await read();

    await writeFile(path, first.certificate.slice(0, 100));
    now += 10_000;

    expect(await read()).toBe(first.certificate);
  });

  it('reports a file that is missing or holds something else', async () => {
    const folder = await testFolder();
    await writeFile(join(folder, 'key'), first.key);

    const missing = await rejection(pemReader({ from: 'file', path: join(folder, 'none') })());
    const key = await rejection(pemReader({ from: 'file', path: join(folder, 'key') })());

    expect(missing).toMatchObject({
      code: 'KUBE_CONFIG_UNREADABLE',
      message: expect.stringContaining('does not exist'),
    });
    expect(key).toMatchObject({ code: 'KUBE_CONFIG_INVALID', message: expect.stringContaining('not a certificate') });
  });
});
