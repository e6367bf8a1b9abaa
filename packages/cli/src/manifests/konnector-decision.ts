import { KlutchError } from '@klutch/api';
import { defaultKonnectorImage, konnectorRepository, parseImage } from './konnector-image.ts';
import { compareSemver, parseSemver, type Semver } from './semver.ts';

/** What the user wants to happen with the konnector of the app cluster. */
export interface KonnectorWishes {
  /** Do not touch it. */
  readonly skip?: boolean;
  /** This image and no other. */
  readonly image?: string;
  /** Replace a newer one, too. */
  readonly downgrade?: boolean;
  /**
   * The bindings move from cluster scope into their namespace, where konnectors up to v1.5.0 do not find them. None is kept
   * unless its version says that it does.
   */
  readonly mustServeNamespaced?: boolean;
}

/** What to do about the konnector. */
export type KonnectorDecision =
  /** Neither the Deployment nor its rights are touched. */
  | { readonly action: 'skip' }
  /** Put this image in place, with all that belongs to it. */
  | { readonly action: 'apply'; readonly image: string; readonly reason: string }
  /** The Deployment stays as it is; its rights have to cover what is bound. */
  | { readonly action: 'keep'; readonly image: string; readonly note?: string; readonly warning?: string };

/** Throws `KLUTCH_USAGE` when wishes contradict each other. */
export function refuseContradictions({ skip, image, downgrade }: KonnectorWishes): void {
  if (skip && image) throw contradiction('--skip-konnector', '--konnector-image');
  if (skip && downgrade) throw contradiction('--skip-konnector', '--downgrade-konnector');
  if (image && downgrade) throw contradiction('--konnector-image', '--downgrade-konnector');
}

/**
 * Pure: what to do, given the image of the konnector that is installed, if there is one, and the version of this command.
 * Throws `KLUTCH_USAGE` when wishes contradict each other, when the versions cannot be compared, and when the konnector must
 * be replaced but is from another repository, so that the image to replace it with is not known.
 */
export function decideKonnector(
  installed: string | undefined,
  version: string,
  wishes: KonnectorWishes = {},
): KonnectorDecision {
  refuseContradictions(wishes);
  if (wishes.skip) return { action: 'skip' };
  if (wishes.image) return { action: 'apply', image: wishes.image, reason: 'as asked for' };
  const ours = defaultKonnectorImage(version);
  if (installed === undefined) return { action: 'apply', image: ours, reason: 'there was none' };

  const { repository, tag } = parseImage(installed);
  const isOurs = repository === konnectorRepository && tag !== undefined && tag !== 'latest';
  if (wishes.mustServeNamespaced && !isOurs && !servesNamespaced(tag)) throw unsuited(installed, ours);
  if (repository !== konnectorRepository) return { action: 'keep', image: installed, note: foreign(installed) };
  if (tag === undefined || tag === 'latest') return { action: 'keep', image: installed, note: untagged(installed) };
  const there = parseSemver(tag);
  if (there === undefined) throw unreadable(installed);

  const order = compareSemver(there, parseSemver(version) ?? there);
  if (order === 0) return { action: 'keep', image: installed };
  if (order < 0) return { action: 'apply', image: ours, reason: `${tag} was older` };
  if (wishes.downgrade) return { action: 'apply', image: ours, reason: `downgraded from ${tag}` };
  return { action: 'keep', image: installed, warning: newer(tag, version) };
}

/** Whether a tag tells a version after the last one that knows cluster-scoped bindings alone. */
function servesNamespaced(tag: string | undefined): boolean {
  const there = tag === undefined ? undefined : parseSemver(tag);
  return there !== undefined && compareSemver(there, lastClusterScoped) > 0;
}

const lastClusterScoped: Semver = { numbers: [1, 5, 0], preRelease: [] };

function contradiction(a: string, b: string): KlutchError {
  return new KlutchError('KLUTCH_USAGE', `${a} contradicts ${b}; give one of them.`);
}

function foreign(image: string): string {
  return `The konnector has the image ${image} of another repository and is left as it is; --konnector-image replaces it.`;
}

function untagged(image: string): string {
  return `The konnector has the image ${image} without a version and is left as it is; --konnector-image replaces it.`;
}

function newer(tag: string, version: string): string {
  return `The konnector is of version ${tag}, newer than this command (${version}), and is left as it is; upgrade the command, or use --downgrade-konnector.`;
}

function unsuited(image: string, ours: string): KlutchError {
  const message = `Cannot upgrade the konnector: its image ${image} is not known to serve namespaced bindings. Nothing was changed. Name the image to replace it with, such as --konnector-image ${ours}.`;
  return new KlutchError('KLUTCH_USAGE', message);
}

function unreadable(image: string): KlutchError {
  const message = `Cannot compare the version of the konnector: its image is ${image}. Name an image with --konnector-image, or leave it as it is with --skip-konnector.`;
  return new KlutchError('KLUTCH_USAGE', message);
}
