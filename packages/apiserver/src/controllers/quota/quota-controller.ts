import type { ResourceQuota } from '../../kinds/core/resource-quotas.ts';
import { countObjects, isCounted, typeOfQuotaName } from '../../quota/counted-objects.ts';
import { QUOTA_BUCKET } from '../../quota/require-within-quota.ts';
import { bucketOf } from '../../registry/served-resource.ts';
import type { StoredEvent } from '../../storage/types.ts';
import { controllerActor, createSystemCaller, placeOfKey } from '../caller/system-caller.ts';
import { type ControllerContext, controllerLoop, type RunningController } from '../context.ts';
import { storedTypes } from '../types/stored-types.ts';
import { watchTypes } from '../types/watch-types.ts';
import { decideQuotaStatus } from './decide.ts';

/** Keeps the status of every ResourceQuota: the limits, and how many objects there are. */
export function startQuotaController(context: ControllerContext): RunningController {
  const { world } = context;
  const { store, registry } = world;
  const caller = createSystemCaller(world, controllerActor('resourcequota-controller'));
  const types = storedTypes(registry);
  const loop = controllerLoop(context, 'resourcequota', handle);

  async function handle(key: string): Promise<void> {
    const quota: ResourceQuota | undefined = store.get(QUOTA_BUCKET, key)?.object();
    if (quota === undefined) return;
    const status = decideQuotaStatus(quota, (name) => countOf(name, quota.metadata.namespace ?? ''));
    if (status === undefined) return;
    await caller.replace(registry.require('', 'v1', 'resourcequotas'), { ...quota, status }, 'status');
  }

  function countOf(name: string, namespace: string): number | undefined {
    const named = typeOfQuotaName(name);
    const type = named && types.inBucket(bucketOf(named));
    return type && isCounted(type) ? countObjects(store, type.bucket, namespace, name) : undefined;
  }

  /** The quota itself is one of these objects. */
  function onObject({ entry: { key } }: StoredEvent): void {
    const { namespace } = placeOfKey(key);
    if (namespace === undefined || store.count(QUOTA_BUCKET, namespace) === 0) return;
    for (const quota of store.scan(QUOTA_BUCKET, { namespace })) loop.add(quota.key);
  }

  function addAll(): void {
    for (const quota of store.scan(QUOTA_BUCKET)) loop.add(quota.key);
  }

  watchTypes(context, types, { wanted: isCounted, onEvent: onObject, onAdded: addAll });
  addAll();
  return { loop };
}
