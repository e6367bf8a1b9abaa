import { KlutchError, type OfferedApi } from '@klutch/api';
import { packageVersion } from '../../package-version.ts';
import { yamlOf } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { ManifestFlags } from '../backend-operations.ts';
import { backendManifests, defaultBackendImage } from './backend-manifests.ts';
import { openControlPlane } from './control-plane.ts';
import { offersIn, offersOf } from './templates.ts';

/** Prints the manifests of a backend. */
export async function printBackendManifests(
  args: readonly string[],
  flags: ManifestFlags,
  terminal: Terminal,
): Promise<void> {
  refuseSecrets(args);
  const progress = createProgress(terminal);
  const offers = flags.template ? await offersIn(flags.template) : await offersFrom(flags, terminal);
  const image = flags.image ?? defaultBackendImage(await packageVersion());
  const { namespace, appClusterNamespace: appClusterNamespaces } = flags;
  const manifests = backendManifests({ namespace, image, args, offers, appClusterNamespaces });
  const texts = await Promise.all(manifests.map(yamlOf));
  terminal.print(texts.join('\n---\n'));
  const names = [...new Set(offers.map(({ group, resource }) => `${resource}.${group}`))].sort();
  progress.note(
    `The rights are those that these APIs need: ${names.join(', ') || 'none, since there are no templates'}.`,
  );
  if (args.some((arg) => arg.startsWith('--oidc-'))) {
    progress.note(
      `The backend reads its secrets from Secret ${flags.namespace}/klutch-backend, keys oidc-client-secret and cookie-signing-key; create it with kubectl create secret generic.`,
    );
  }
}

async function offersFrom(flags: ManifestFlags, terminal: Terminal): Promise<readonly OfferedApi[]> {
  const plane = await openControlPlane(flags, process.env);
  try {
    createProgress(terminal).note(`Templates are read from the control plane ${plane.name}.`);
    return await offersOf(plane.client, terminal.untilInterrupted());
  } finally {
    await plane.close();
  }
}

const secretFlag = /^--?(oidc-issuer-client-secret|cookie-signing-key|cookie-encryption-key)(=|$)/;

/** Manifests are kept in repositories. */
function refuseSecrets(args: readonly string[]): void {
  const flag = args.find((arg) => secretFlag.test(arg))?.replace(/=.*$/s, '');
  if (flag === undefined) return;
  const message = `${flag} would put a secret into the manifests; the backend reads it from Secret klutch-backend.`;
  throw new KlutchError('KLUTCH_USAGE', message);
}
