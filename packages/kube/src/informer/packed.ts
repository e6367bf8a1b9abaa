import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { KubeObject } from '../objects/meta.ts';
import { createFresh, type Fresh } from './fresh.ts';

/** An object of type `T` in a form that takes little memory. */
export interface Packed<T extends KubeObject> {
  readonly _object?: T;
  readonly uid: string | undefined;
  readonly version: string | undefined;
  /** For the packing alone. */
  content: string;
  isCompressed: boolean;
}

/** One way to pack objects; what it packed only it can unpack. */
export interface Packing {
  pack<T extends KubeObject>(object: T): Packed<T>;
  /** A copy of its own for whoever asks. */
  unpack<T extends KubeObject>(packed: Packed<T>): T;
  /** This is history: whether it takes little memory does not matter any more. */
  discard(packed: Packed<KubeObject>): void;
}

/**
 * How a cache keeps its objects: `text` is their JSON; `compressed` takes a quarter to a tenth of that, and some ten
 * microseconds more of each read of what has not changed for a while.
 */
export type PackingKind = 'text' | 'compressed';

/** @param fresh objects that changed last, which will soon be read or changed again. Default: those of all caches. */
export function createPacking(kind: PackingKind, fresh: Fresh<Packed<KubeObject>> = freshOfAllCaches): Packing {
  return kind === 'text' ? plain : createCompression(fresh);
}

const plain: Packing = {
  pack: (object) => ({
    uid: object.metadata.uid,
    version: object.metadata.resourceVersion,
    content: JSON.stringify(object),
    isCompressed: false,
  }),
  unpack: <T extends KubeObject>(packed: Packed<T>) => JSON.parse(packed.content) as T,
  discard: () => {},
};

/** Of usual size, so many are less than a megabyte. */
export const mostFresh = 256;
const freshOfAllCaches = createFresh<Packed<KubeObject>>(mostFresh);

/**
 * Objects of one type have most of their text in common. The first of them serves as the dictionary for all, so that of the
 * others little more is kept than what is different.
 */
function createCompression(fresh: Fresh<Packed<KubeObject>>): Packing {
  let dictionary: Buffer | undefined;

  function compress(packed: Packed<KubeObject>): void {
    dictionary ??= Buffer.from(packed.content).subarray(-windowSize);
    // Bytes as characters: a string of its exact size, where a buffer would keep the larger one that it is a part of.
    packed.content = deflateRawSync(packed.content, { ...smallTexts, dictionary }).toString('latin1');
    packed.isCompressed = true;
  }

  return {
    pack: (object) => {
      const packed = plain.pack(object);
      fresh.add(packed, () => compress(packed));
      return packed;
    },
    unpack: (packed) => {
      if (!packed.isCompressed) return plain.unpack(packed);
      const bytes = Buffer.from(packed.content, 'latin1');
      const content = inflateRawSync(bytes, { ...smallTexts, dictionary }).toString();
      return plain.unpack({ ...packed, content });
    },
    discard: (packed) => fresh.delete(packed),
  };
}

const windowBits = 13;
const windowSize = 2 ** windowBits;

/** The defaults are made for streams, and would spend most of the time on getting memory. */
const smallTexts = { windowBits, memLevel: 5, level: 3, chunkSize: 2048 };
