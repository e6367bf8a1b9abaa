import type { ApiObject } from '../objects/api-object.ts';
import type { Entry } from './types.ts';

type Labels = Entry['labels'];

/** The one kind of {@link Entry} there is; immutable. */
export class StoredEntry implements Entry {
  readonly bucket: string;
  readonly key: string;
  readonly revision: number;
  readonly json: string;
  readonly labels: Labels;

  constructor(bucket: string, key: string, revision: number, json: string, labels: Labels) {
    this.bucket = bucket;
    this.key = key;
    this.revision = revision;
    this.json = json;
    this.labels = labels;
  }

  object(): ApiObject {
    return JSON.parse(this.json) as ApiObject;
  }
}

/** The entry for an object written at a revision. The object stays as it is and is not kept. */
export function entryOf(bucket: string, key: string, revision: number, object: ApiObject): StoredEntry {
  const metadata = { ...object.metadata, resourceVersion: String(revision) };
  return new StoredEntry(
    bucket,
    key,
    revision,
    JSON.stringify({ ...object, metadata }),
    copyOfLabels(object.metadata.labels),
  );
}

/** The same object as if written at another revision: what watchers see of an object that is gone. */
export function entryAtRevision(entry: Entry, revision: number): StoredEntry {
  return entryOf(entry.bucket, entry.key, revision, entry.object());
}

function copyOfLabels(labels: ApiObject['metadata']['labels']): Labels {
  if (!labels || Object.keys(labels).length === 0) return undefined;
  return { ...labels };
}
