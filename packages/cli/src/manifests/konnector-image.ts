import { goKonnectorImage } from '@klutch/api';

/** Where the images of konnectors are published: the one place to change when that moves. */
export const konnectorRepository: string = goKonnectorImage.repository;

/** The image that belongs to this version of the command. */
export function defaultKonnectorImage(version: string): string {
  return `${konnectorRepository}:v${version.replace(/^v/, '')}`;
}

/** A reference to an image, taken apart. */
export interface ImageReference {
  readonly repository: string;
  /** `latest` when there is neither a tag nor a digest. */
  readonly tag?: string;
}

/** Pure: takes `<repository>[:<tag>][@<digest>]` apart; the host may have a port. */
export function parseImage(image: string): ImageReference {
  const [named = '', digest] = image.split('@');
  const colon = named.lastIndexOf(':');
  if (colon > named.lastIndexOf('/')) return { repository: named.slice(0, colon), tag: named.slice(colon + 1) };
  return digest === undefined ? { repository: named, tag: 'latest' } : { repository: named };
}
