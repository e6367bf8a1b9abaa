import { type APIServiceExportRequestResponse, kubeconfigKey } from '@klutch/api';
import type { UnknownObject } from '@klutch/kube';
import { yamlOf } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { appClusterManifests, type BindPlan } from './bind-plan.ts';

/**
 * What a dry run is about. `all`: everything that would be written, and nothing is. `request`: as the Go CLI has it, only the
 * export requests, for `bind apiservice` to go on with; the credential for that is stored.
 */
export type DryRun = 'all' | 'request';

/** Pure: export requests as manifests that the Go CLI, too, reads. */
export function requestManifests(requests: readonly APIServiceExportRequestResponse[]): readonly UnknownObject[] {
  return requests.map(({ apiVersion, kind, metadata, spec }) => ({ apiVersion, kind, metadata: metadata ?? {}, spec }));
}

/** Prints requests alone: YAML documents, or one JSON document. */
export async function printRequests(
  terminal: Pick<Terminal, 'print'>,
  requests: readonly APIServiceExportRequestResponse[],
  format: 'yaml' | 'json',
): Promise<void> {
  await printManifests(terminal, requestManifests(requests), format);
}

/** Prints everything a plan would write: requests for the control plane first, then what goes to the app cluster. */
export async function printPlan(
  terminal: Pick<Terminal, 'print'>,
  plan: BindPlan,
  { format, showSecrets }: { readonly format: 'yaml' | 'json'; readonly showSecrets: boolean },
): Promise<void> {
  const above = requestManifests(plan.requests).map((request) => ({
    ...request,
    metadata: { ...request.metadata, namespace: plan.remote.namespace },
  }));
  const below = appClusterManifests(plan).map((manifest) => (showSecrets ? manifest : redacted(manifest)));
  await printManifests(terminal, [...above, ...below], format, above.length);
}

async function printManifests(
  terminal: Pick<Terminal, 'print'>,
  manifests: readonly UnknownObject[],
  format: 'yaml' | 'json',
  ofControlPlane = manifests.length,
): Promise<void> {
  if (format === 'json') {
    const [only] = manifests;
    const document = manifests.length === 1 ? only : { apiVersion: 'v1', kind: 'List', items: manifests };
    terminal.print(JSON.stringify(document, undefined, 2));
    return;
  }
  for (const [at, manifest] of manifests.entries()) {
    if (at > 0) terminal.print('---');
    // Not before the first one: tools look for `apiVersion:` in the first line.
    if (at === ofControlPlane)
      terminal.print('# From here on: objects of the app cluster. Those above go to the control plane.');
    terminal.print(await yamlOf(manifest));
  }
}

/** Keeps everything of a Secret but its values. */
function redacted(manifest: UnknownObject): UnknownObject {
  if (manifest.kind !== 'Secret') return manifest;
  const { data: _, ...rest } = manifest;
  return { ...rest, stringData: { [kubeconfigKey]: '(hidden; --show-secrets prints it)' } };
}
