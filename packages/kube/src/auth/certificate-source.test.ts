import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PemSource } from '../kubeconfig/cluster-config.ts';
import { rejection } from '../kubeconfig/test-kubeconfig.ts';
import { certificateSource } from './certificate-source.ts';
import { first, second } from './test-certificates.ts';
import { testFolder } from './test-folder.ts';

interface Pair {
  readonly certificate: string;
  readonly key: string;
}

async function world(
  pair: Pair,
  onPause: (count: number, write: (pair: Partial<Pair>) => Promise<void>) => Promise<void>,
) {
  const folder = await testFolder();
  const paths = { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  const write = async ({ certificate, key }: Partial<Pair>) => {
    if (certificate !== undefined) await writeFile(paths.certificate, certificate);
    if (key !== undefined) await writeFile(paths.key, key);
  };
  await write(pair);
  const clock = { now: 0 };
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    await onPause(pauses, write);
  };
  const auth = { certificate: file(paths.certificate), key: file(paths.key) };
  const source = certificateSource(auth, { now: () => clock.now, pause });
  return { paths, write, clock, source, pauses: () => pauses };
}

const file = (path: string): PemSource => ({ from: 'file', path });
const data = (pem: string): PemSource => ({ from: 'data', pem });
const never = async () => expect.fail('must not pause');
const noPause = { now: () => 0, pause: never };

describe('certificateSource', () => {
  it('yields an embedded certificate and key', async () => {
    const source = certificateSource({ certificate: data(first.certificate), key: data(first.key) }, noPause);

    expect(await source.current()).toEqual(first);
  });

  it('follows a pair that rotates on disk', async () => {
    const { write, clock, source } = await world(first, never);
    expect(await source.current()).toEqual(first);

    await write(second);
    expect(await source.current()).toEqual(first);
    clock.now += 10_000;

    expect(await source.current()).toEqual(second);
  });

  it('takes the new pair at once after a refusal', async () => {
    const { write, source } = await world(first, never);
    await source.current();

    await write(second);
    source.invalidate();

    expect(await source.current()).toEqual(second);
  });

  it('does not answer from memory after a refusal, even while others are being answered', async () => {
    const { write, source } = await world(first, never);
    await source.current();
    await write(second);

    const before = source.current();
    source.invalidate();
    const after = source.current();

    expect(await before).toEqual(first);
    expect(await after).toEqual(second);
  });

  it('waits for the second file when it finds a rotation half done', async () => {
    const { write, clock, source, pauses } = await world(first, async (count, write) => {
      if (count === 3) await write({ key: second.key });
    });
    await source.current();

    await write({ certificate: second.certificate });
    clock.now += 10_000;

    expect(await source.current()).toEqual(second);
    expect(pauses()).toBe(3);
  });

  it('gives up when certificate and key stay apart, and takes them as soon as they fit', async () => {
    const { write, paths, source, pauses } = await world({ ...first, key: second.key }, async () => undefined);

    const error = await rejection(source.current());
    await write({ key: first.key });

    expect(error.code).toBe('KUBE_CREDENTIALS_FAILED');
    expect(error.message).toContain(paths.certificate);
    expect(error.message).toContain('do not belong together');
    expect(pauses()).toBe(4);
    expect(await source.current()).toEqual(first);
  });

  it('never hands out a pair that does not fit, to however many callers', async () => {
    const { write, clock, source, pauses } = await world(first, async (_, write) => write({ key: second.key }));
    await source.current();

    await write({ certificate: second.certificate });
    clock.now += 10_000;
    const all = await Promise.all(Array.from({ length: 10 }, () => source.current()));

    expect(all).toEqual(Array(10).fill(second));
    expect(pauses()).toBe(1);
  });

  it('does not wait when both are embedded and do not fit', async () => {
    const source = certificateSource({ certificate: data(first.certificate), key: data(second.key) }, noPause);

    const error = await rejection(source.current());

    expect(error.message).toMatch(/\(in the kubeconfig\).*do not belong together/);
  });

  it.each([
    ['certificate', { certificate: first.certificate.replace('MIIB', 'AAAA') }, /the certificate is damaged/],
    ['key', { key: first.key.replace('MIGH', 'AAAA') }, /the key is damaged/],
  ])('reports a damaged %s without showing it', async (_, change, message) => {
    const { source } = await world({ ...first, ...change }, async () => undefined);

    const error = await rejection(source.current());

    expect(error).toMatchObject({ code: 'KUBE_CREDENTIALS_FAILED', message: expect.stringMatching(message) });
    expect(JSON.stringify([error.message, error.cause])).not.toContain(first.key.split('\n')[2]);
  });

  it('reports a file that is missing, a folder or not PEM', async () => {
    const { paths, write, source } = await world(first, never);
    await rm(paths.key);
    expect((await rejection(source.current())).message).toContain(`client key file ${paths.key} does not exist`);

    await mkdir(paths.key);
    expect((await rejection(source.current())).message).toContain('is a folder');

    await rm(paths.key, { recursive: true });
    await write({ key: 'hello' });
    const error = await rejection(source.current());
    expect(error.message).toContain('does not hold a private key');
    expect(error.code).toBe('KUBE_CREDENTIALS_FAILED');
  });

  it('keeps the pair in use while the files are gone', async () => {
    const { paths, clock, source } = await world(first, never);
    await source.current();

    await rm(paths.certificate);
    clock.now += 10_000;

    expect(await source.current()).toEqual(first);
  });
});
