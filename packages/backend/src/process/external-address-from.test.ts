import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterConfig } from '@klutch/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { externalAddressFrom } from './external-address-from.ts';
import { parseFlags } from './flags.ts';

const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'klutch-external-'));
  await writeFile(join(folder, 'ca.crt'), pem);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const inPod = (file = 'ca.crt'): ClusterConfig => ({
  server: 'https://10.0.0.1:443',
  source: 'in-cluster',
  ca: { from: 'file', path: join(folder, file) },
  auth: { kind: 'none' },
});
const address = '--external-address=https://api.example.org';

describe('how app clusters reach a control plane whose backend runs in a pod', () => {
  it('has to be told', async () => {
    await expect(externalAddressFrom(parseFlags([]), inPod(), true)).rejects.toThrow(
      '--external-address is required in a pod',
    );
  });

  it('need not be told when nobody can log in', async () => {
    await expect(externalAddressFrom(parseFlags([]), inPod(), false)).resolves.toMatchObject({
      server: 'https://10.0.0.1:443',
    });
  });

  it('includes the certificates of the pod, though they are in a file', async () => {
    expect(await externalAddressFrom(parseFlags([address]), inPod(), true)).toEqual({
      server: 'https://api.example.org',
      ca: pem,
    });
  });

  it('says which certificates it cannot read', async () => {
    await expect(externalAddressFrom(parseFlags([address]), inPod('not'), true)).rejects.toThrow(
      /not .*--external-ca-file/,
    );
  });

  it('takes certificates from a file that has some', async () => {
    await writeFile(join(folder, 'empty'), '');
    const flags = (file: string) => parseFlags([address, `--external-ca-file=${join(folder, file)}`]);

    expect(await externalAddressFrom(flags('ca.crt'), { ...inPod(), ca: undefined }, true)).toMatchObject({ ca: pem });
    await expect(externalAddressFrom(flags('empty'), inPod(), true)).rejects.toThrow('holds no certificate');
  });
});
