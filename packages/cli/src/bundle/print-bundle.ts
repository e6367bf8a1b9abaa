import { yamlOf } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Bundle, bundleManifests } from './bundle-manifests.ts';

/** What the first lines of a bundle tell besides what is in it. */
export interface BundleOrigin {
  /** What the provider is called. */
  readonly provider: string;
  readonly clusterId: string;
}

/** Prints a bundle: YAML documents below a comment for whoever finds the file, or one JSON document without it. */
export async function printBundle(
  terminal: Pick<Terminal, 'print'>,
  bundle: Bundle,
  origin: BundleOrigin,
  format: 'yaml' | 'json',
): Promise<void> {
  const manifests = bundleManifests(bundle);
  if (format === 'json') {
    terminal.print(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }, undefined, 2));
    return;
  }
  for (const line of headOf(bundle, origin)) terminal.print(`# ${line}`.trimEnd());
  for (const [at, manifest] of manifests.entries()) {
    if (at > 0) terminal.print('---');
    terminal.print(await yamlOf(manifest));
  }
}

/** Pure: what a reader of the file has to know. */
export function headOf({ enrolment, claims, isGuarded }: Bundle, origin: BundleOrigin): readonly string[] {
  const apis = [...claims.keys()];
  const wanted = apis.map((api) => `--api ${api}`).join(' ');
  return [
    `Connects one Kubernetes cluster to ${oneLine(origin.provider)} and binds ${apis.join(', ')}.`,
    'Apply it in any order and as often as you like; applying it again changes nothing.',
    '',
    `The token in it can be exchanged for a credential until ${enrolment.expiresAt.toISOString()}, by the first cluster that`,
    'it is applied to and by no other. It is good for nothing else. Afterwards this file can stay as it is: the konnector',
    'renews the credential. For a cluster that has none yet, or has lost it, make the file again:',
    `  klutch bind ${enrolment.backendUrl} --bundle --cluster-id ${origin.clusterId} ${wanted}`,
    'For another cluster, make another file, with another --cluster-id or none.',
    '',
    ...(isGuarded
      ? [
          'To unbind, delete it until that succeeds: the bindings end first, and a policy keeps the konnector until then.',
          '  until kubectl delete --ignore-not-found -f <this file>; do sleep 5; done',
        ]
      : [
          'To unbind, delete the APIServiceBindings first and wait until they and their CRDs are gone or released; then run',
          'kubectl delete -f with this file. Nothing keeps the konnector until then.',
        ]),
  ];
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}
