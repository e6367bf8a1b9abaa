import type { Entry } from '../storage/types.ts';

/** How a client wants objects: in which version, whole, as metadata only, as rows of a table. */
export interface Shape {
  /** Shapes of the same id give the same text for the same object, so that watches can share it. */
  readonly id: string;
  /** Whether the first event of a watch is different; tables have their headers there. Default false. */
  readonly firstIsDifferent?: boolean;
  /** JSON of a stored object in this shape. */
  object(entry: Entry, isFirst: boolean): string;
  /** JSON of the object in a bookmark, which has nothing but the kind and these metadata. */
  bookmark(metadata: BookmarkMetadata, isFirst: boolean): string;
}

export interface BookmarkMetadata {
  readonly resourceVersion: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Objects as they are stored. */
export function storedShape(apiVersion: string, kind: string): Shape {
  return {
    id: 'stored',
    object: ({ json }) => json,
    bookmark: (metadata) => JSON.stringify({ kind, apiVersion, metadata }),
  };
}
