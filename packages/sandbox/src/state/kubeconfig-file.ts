import { writeOwnFile } from './own-file.ts';

/** Names of the contexts; those of other clusters are not touched, as this is a file of its own. */
export const contexts = { app: 'klutch-app', controlPlane: 'klutch-control-plane' } as const;

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: object }[];
  readonly users: readonly { readonly user: object }[];
}

/** Writes one kubeconfig for both clusters; the app cluster, where developers work, is the current one. */
export async function writeKubeconfig(
  file: string,
  clusters: { readonly app: string; readonly controlPlane: string },
): Promise<void> {
  const entries = (['app', 'controlPlane'] as const).map((which) => ({
    name: contexts[which],
    config: JSON.parse(clusters[which]) as Kubeconfig,
  }));
  const merged = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: entries.map(({ name, config }) => ({ name, cluster: config.clusters[0]?.cluster })),
    users: entries.map(({ name, config }) => ({ name, user: config.users[0]?.user })),
    contexts: entries.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
    'current-context': contexts.app,
  };
  await writeOwnFile(file, `${JSON.stringify(merged, undefined, 2)}\n`);
}
