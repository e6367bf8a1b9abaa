import { badRequest, expired } from '../status/status-error.ts';
import type { Entry, Store } from '../storage/types.ts';
import { type ContinueToken, decodeContinue, encodeContinue, ExpiredContinueError } from './continue-token.ts';
import type { ListOptions } from './list-options.ts';
import { listVersion, requireReached } from './resource-version.ts';

/** What is listed: a type, and the namespace if only one is wanted. */
export interface Listed {
  readonly bucket: string;
  readonly namespaced: boolean;
  readonly namespace?: string;
}

/** One answer to a list request. */
export interface ListPage {
  readonly entries: readonly Entry[];
  readonly revision: number;
  /** Token for the next page, when there is one. */
  readonly continueToken: string | undefined;
  /** How many more there are, when that is known. */
  readonly remainingItemCount: number | undefined;
}

/**
 * Answers a list request from what is safe in the store. Throws the errors of Kubernetes for versions that are gone or
 * still to come, and for tokens that are none.
 */
export function listPage(store: Store, listed: Listed, options: ListOptions): ListPage {
  const token = options.continueToken === '' ? undefined : decodeContinue(options.continueToken);
  const revision = revisionFor(store, options, token);
  requireHistory(store, revision, token);
  const { bucket, namespace } = listed;
  const wanted = selection(options);
  const key = singleKey(listed, options);
  if (key !== undefined) {
    const found = store.scan(bucket, { after: keyBefore(key), limit: 1, atRevision: revision });
    const entries = found.filter((entry) => entry.key === key && wanted(entry));
    return { entries, revision, continueToken: undefined, remainingItemCount: undefined };
  }
  const after = token && keyBefore(`${prefixOf(listed)}${token.start}`);
  const found = store.scan(bucket, { namespace, after, atRevision: revision });
  return pageOf(found, { listed, options, revision, wanted });
}

/** Which stored objects the selectors of a request want. */
export function selection({ labelSelector, fieldSelector }: ListOptions): (entry: Entry) => boolean {
  if (labelSelector.isEmpty && fieldSelector.isEmpty) return () => true;
  if (fieldSelector.isEmpty) return (entry) => labelSelector.matches(entry.labels);
  return (entry) => labelSelector.matches(entry.labels) && fieldSelector.matches(entry);
}

/** A request for a known object is not paged. */
function singleKey(listed: Listed, { fieldSelector, continueToken }: ListOptions): string | undefined {
  if (continueToken !== '' || (listed.namespaced && listed.namespace === undefined)) return undefined;
  const name = fieldSelector.exactly('metadata.name');
  return name === undefined ? undefined : `${prefixOf(listed)}${name}`;
}

/** The state that is listed. */
function revisionFor(store: Store, options: ListOptions, token: ContinueToken | undefined): number {
  const { resourceVersion: text, resourceVersionMatch: match, limit } = options;
  if (token) {
    if (text !== '' && text !== '0') throw badRequest('specifying resource version is not allowed when using continue');
    if (token.revision < 0) return store.durableRevision;
    requireReached(store, token.revision, String(token.revision));
    return token.revision;
  }
  const version = listVersion(text);
  requireReached(store, version, text === '' ? '0' : text);
  // A limit without a match means exactly that version; it did so before there was a match.
  const isExact = match === 'Exact' || (match === '' && limit > 0 && version > 0);
  return isExact ? version : store.durableRevision;
}

function requireHistory(store: Store, revision: number, token: ContinueToken | undefined): void {
  if (revision >= store.oldestRevision) return;
  if (token) throw new ExpiredContinueError(token);
  throw expired('The resourceVersion for the provided list is too old.');
}

function pageOf(
  found: readonly Entry[],
  context: { listed: Listed; options: ListOptions; revision: number; wanted: (entry: Entry) => boolean },
): ListPage {
  const { listed, options, revision, wanted } = context;
  // Version 0 has always been answered whole.
  const limit = options.resourceVersion === '0' || options.limit <= 0 ? Number.POSITIVE_INFINITY : options.limit;
  const isUnfiltered = options.labelSelector.isEmpty && options.fieldSelector.isEmpty;
  const entries: Entry[] = [];
  let seen = 0;
  for (const entry of found) {
    if (entries.length >= limit) break;
    seen += 1;
    if (wanted(entry)) entries.push(entry);
  }
  const last = entries.at(-1);
  if (seen === found.length || !last)
    return { entries, revision, continueToken: undefined, remainingItemCount: undefined };
  return {
    entries,
    revision,
    continueToken: encodeContinue({ revision, start: `${last.key.slice(prefixOf(listed).length)}\0` }),
    remainingItemCount: isUnfiltered ? found.length - entries.length : undefined,
  };
}

/** Keys in tokens leave out what the request says anyway, so that a token cannot lead anywhere else. */
function prefixOf({ namespaced, namespace }: Listed): string {
  if (!namespaced) return '/';
  return namespace === undefined ? '' : `${namespace}/`;
}

/** A token names the first key that may be next; the store wants the last that may not. */
function keyBefore(key: string): string {
  if (key === '') return key;
  const last = key.charCodeAt(key.length - 1);
  const rest = key.slice(0, -1);
  // No key has a character above all others.
  return last === 0 ? rest : `${rest}${String.fromCharCode(last - 1)}\uffff`;
}
