import type { Catalogue, Operation, Service } from '../catalogue.ts';
import type { Part } from '../files/folder.ts';
import type { TreePath } from '../files/tree.ts';
import { isService } from '../../render/offers.ts';

/** Something about a catalogue that is not allowed: in which file, where in it, and one sentence. */
export interface Finding {
  readonly part: Part;
  /** Name of the file. */
  readonly name: string;
  readonly path: TreePath;
  /** Other places in the file that are as much to blame; the one in the latest layer is named. */
  readonly alternatives?: readonly TreePath[];
  readonly message: string;
}

/** Pure: finds one kind of mistake in a catalogue of which every file has the right shape. */
export type Check = (catalogue: Catalogue) => readonly Finding[];

export const partOf = (offer: Service | Operation): Part => (isService(offer) ? 'services' : 'operations');

export const finding = (offer: Service | Operation, path: TreePath, message: string): Finding => ({
  part: partOf(offer),
  name: offer.name,
  path,
  message,
});
