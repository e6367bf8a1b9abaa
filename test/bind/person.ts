import { appCluster as names, kubeconfigKey } from '@klutch/api';
import { type KubeClient, Namespaces, Secrets } from '@klutch/kube';
import { logIn, startIssuer } from '@klutch/sandbox';
import { expect } from 'vitest';
import { patiently } from '../backend/process-world.ts';
import type { Scene } from './scene.ts';

export const user = { name: 'ada', password: 'enchantress' };

export const embeddedIssuer = (callbackUrl: string) =>
  startIssuer({
    users: [user],
    clients: [{ kind: 'web', id: 'klutch', secret: 'client-secret', redirectUris: [callbackUrl] }],
  });

/** Binds as a person does, who logs in at the address that is printed. */
export async function bindAsPerson(scene: Scene, api = scene.api.name): Promise<string> {
  const run = scene.klutch(['bind', scene.provider, '--no-browser', '--api', api, '--accept-claims', 'all', '--wait']);
  const [url] = await run.says(/http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+/);
  await logIn({ url, user });
  expect({ code: await run.ended(), err: run.err() }).toMatchObject({ code: 0 });
  return run.err();
}

/** A claim that the developer makes, and where its copy goes. */
export async function claimWidget({ app, controlPlane, api }: Scene, name: string): Promise<string> {
  const namespaces = app.admin.resource(Namespaces);
  await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } }).catch(() => undefined);
  const { group, version, kind } = api.type;
  const manifest = {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name, namespace: 'team-a' },
    spec: { size: 1 },
  };
  await app.admin.resource(api.type).create(manifest);
  const copy = await patiently(async () => {
    const { items } = await controlPlane.admin.resource(api.type).list();
    return items.find(({ metadata }) => metadata.name === name);
  });
  return copy.metadata.namespace ?? '';
}

export async function storedKubeconfig(app: KubeClient): Promise<string> {
  const { items } = await app.resource(Secrets).list({ namespace: names.namespace });
  const found = items.find(({ metadata }) => metadata.name?.startsWith('kubeconfig-'));
  return Buffer.from(found?.data?.[kubeconfigKey] ?? '', 'base64').toString();
}
