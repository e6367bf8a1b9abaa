import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { kubernetesVersion } from './version.ts';

describe('Kubernetes version', () => {
  let program: string;
  beforeEach(async () => {
    program = join(await mkdtemp(join(tmpdir(), 'kit-version-')), 'kube-apiserver');
  });
  afterEach(() => rm(join(program, '..'), { recursive: true }));

  it('is what the program reports', async () => {
    await writeFile(program, '#!/bin/sh\n[ "$1" = --version ] && echo Kubernetes v1.35.4\n', { mode: 0o755 });
    expect(await kubernetesVersion({ etcd: '', kubeApiserver: program })).toBe('1.35.4');
  });

  it('is not to be had from a program of another machine', async () => {
    await writeFile(program, '\x7fELF nonsense', { mode: 0o755 });
    await expect(kubernetesVersion({ etcd: '', kubeApiserver: program })).rejects.toMatchObject({
      code: 'KLUTCH_KIT_BINARIES_MISSING',
      message: `${program} does not run on this machine`,
    });
  });
});
