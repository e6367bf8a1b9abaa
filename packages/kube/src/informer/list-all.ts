import { isKubeError } from '../errors/kube-error.ts';
import type { KubeObject } from '../objects/meta.ts';
import type { ResourceClient } from '../resources/types.ts';
import { type Selection, selectionOf } from './selection.ts';

export interface ListAllOptions<T extends KubeObject> extends Selection {
  readonly client: ResourceClient<T>;
  /** Objects per page. Default 500. */
  readonly pageSize?: number;
}

/** The state of a selection at one version. */
export interface ListedState<T extends KubeObject> {
  readonly objects: readonly T[];
  readonly version: string | undefined;
}

/**
 * Lists in pages. When the server forgets the version between two pages, lists once more in a single answer, which
 * cannot expire.
 */
export async function listAll<T extends KubeObject>(
  options: ListAllOptions<T>,
  signal: AbortSignal,
): Promise<ListedState<T>> {
  try {
    return await inPages(options, signal);
  } catch (error) {
    if (!isKubeError(error, 'KUBE_GONE')) throw error;
    const { items, metadata } = await options.client.list({ ...selectionOf(options), signal });
    return { objects: items, version: metadata.resourceVersion };
  }
}

async function inPages<T extends KubeObject>(options: ListAllOptions<T>, signal: AbortSignal): Promise<ListedState<T>> {
  const objects: T[] = [];
  let version: string | undefined;
  for await (const page of options.client.pages({ ...selectionOf(options), limit: options.pageSize, signal })) {
    for (const object of page.items) objects.push(object);
    // All pages should be of one version; if later ones are newer, a watch from the first still misses nothing.
    version ??= page.metadata.resourceVersion;
  }
  return { objects, version };
}
