import type { DeletionOptions } from '../../operations/delete.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import type { Entry } from '../../storage/types.ts';
import { inBatches } from '../loop/in-batches.ts';
import { ifThere } from './expected-failure.ts';
import { placeOfKey, type SystemCaller } from './system-caller.ts';

/** Deletes objects of a type, or marks them as being deleted while finalizers hold them. Those that are gone are fine. */
export async function removeEntries(
  caller: SystemCaller,
  type: ServedResource,
  entries: readonly Entry[],
  options: DeletionOptions = {},
): Promise<void> {
  await inBatches(entries, ({ key }) => ifThere(caller.remove(type, placeOfKey(key), options)));
}
