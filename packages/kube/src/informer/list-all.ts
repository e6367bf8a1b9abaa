import { isKubeError } from '../errors/kube-error.ts';
import type { KubeObject } from '../objects/meta.ts';
import type { ResourceClient } from '../resources/types.ts';
import type { Replacing } from './replacing.ts';
import { type Selection, selectionOf } from './selection.ts';

export interface ListAllOptions<T extends KubeObject> extends Selection {
  readonly client: ResourceClient<T>;
  /** Objects per page. Default 500. */
  readonly pageSize?: number;
}

/** All objects of a selection at one version, told but not yet done. */
export interface ListedState<T extends KubeObject> {
  readonly state: Replacing<T>;
  readonly version: string | undefined;
}

/**
 * Lists in pages, none of which is kept, into a state that `begin` makes. When the server forgets the version between two
 * pages, begins anew and lists in a single answer, which cannot expire.
 */
export async function listAll<T extends KubeObject>(
  options: ListAllOptions<T>,
  begin: () => Replacing<T>,
  signal: AbortSignal,
): Promise<ListedState<T>> {
  try {
    return await inPages(options, begin(), signal);
  } catch (error) {
    if (!isKubeError(error, 'KUBE_GONE')) throw error;
    const state = begin();
    const { items, metadata } = await options.client.list({ ...selectionOf(options), signal });
    for (const object of items) state.put(object);
    return { state, version: metadata.resourceVersion };
  }
}

async function inPages<T extends KubeObject>(
  options: ListAllOptions<T>,
  state: Replacing<T>,
  signal: AbortSignal,
): Promise<ListedState<T>> {
  let version: string | undefined;
  for await (const page of options.client.pages({ ...selectionOf(options), limit: options.pageSize, signal })) {
    for (const object of page.items) state.put(object);
    // All pages should be of one version; if later ones are newer, a watch from the first still misses nothing.
    version ??= page.metadata.resourceVersion;
  }
  return { state, version };
}
