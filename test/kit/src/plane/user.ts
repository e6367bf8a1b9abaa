import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { PlaneAddress, PlaneCredentials } from './address.ts';
import { type PlaneRequest, planeRequest } from './request.ts';

/** Somebody the plane knows, with everything needed to speak as them. */
export interface PlaneUser {
  readonly name: string;
  readonly credentials: PlaneCredentials;
  /** A self-contained kubeconfig as text. */
  readonly kubeconfig: string;
  /** The same kubeconfig as a file in the plane's folder. */
  readonly kubeconfigPath: string;
  /** Sends one request to the plane as this user. */
  readonly request: PlaneRequest;
}

/** Makes a user of the plane out of a name and credentials, and writes the kubeconfig file. */
export async function createUser(plane: PlaneAddress, name: string, credentials: PlaneCredentials): Promise<PlaneUser> {
  const kubeconfig = renderKubeconfig(plane, name, credentials);
  const kubeconfigPath = join(plane.dir, `kubeconfig-${randomUUID()}.json`);
  await writeFile(kubeconfigPath, kubeconfig, { mode: 0o600 });
  return { name, credentials, kubeconfig, kubeconfigPath, request: planeRequest(plane, credentials) };
}

/** A kubeconfig with one cluster, one user and one context. JSON, which every reader of YAML understands. */
export function renderKubeconfig(plane: PlaneAddress, name: string, credentials: PlaneCredentials): string {
  const context = 'plane';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: context,
        cluster: { server: plane.url, 'certificate-authority-data': base64(plane.certificateAuthority) },
      },
    ],
    users: [{ name, user: userEntry(credentials) }],
    contexts: [{ name: context, context: { cluster: context, user: name } }],
    'current-context': context,
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

function userEntry(credentials: PlaneCredentials): Record<string, string> {
  if ('token' in credentials) return { token: credentials.token };
  return {
    'client-certificate-data': base64(credentials.certificate),
    'client-key-data': base64(credentials.key),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
