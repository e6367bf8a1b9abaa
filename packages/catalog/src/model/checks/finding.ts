import type { Catalogue } from '../catalogue.ts';
import type { Part } from '../files/folder.ts';
import type { TreePath } from '../files/tree.ts';

/** Something about a catalogue that is not allowed: in which file, where in it, and one sentence. */
export interface Finding {
  readonly part: Part;
  /** Name of the file. */
  readonly name: string;
  readonly path: TreePath;
  readonly message: string;
}

/** Pure: finds one kind of mistake in a catalogue of which every file has the right shape. */
export type Check = (catalogue: Catalogue) => readonly Finding[];
