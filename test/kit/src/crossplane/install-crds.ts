import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

import { eventually } from '../eventually.ts';
import type { PlaneUser } from '../plane/user.ts';
import { send } from './send.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Crd {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Creates the CRDs of a folder and waits until they are established. */
export async function installCrds(user: PlaneUser, folder: string): Promise<void> {
  const files = await readdir(folder);
  const created = await Promise.all(
    files.map(async (file) =>
      send<Crd>(user, 'POST', CRDS, parse(await readFile(join(folder, file), 'utf8')) as object),
    ),
  );
  for (const { metadata } of created) {
    const isEstablished = async () => {
      const { status } = await send<Crd>(user, 'GET', `${CRDS}/${metadata.name}`);
      return status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
    };
    await eventually(isEstablished, { what: `${metadata.name} is established` });
  }
}
