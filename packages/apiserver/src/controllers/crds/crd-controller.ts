import { cleanupFinalizer, type Crd, crdBucket, crdGroup } from '../../crd/crd.ts';
import { kubeTime } from '../../operations/kube-time.ts';
import { keyOf } from '../../registry/served-resource.ts';
import type { StoredEvent } from '../../storage/types.ts';
import { API_SERVER, createSystemCaller } from '../caller/system-caller.ts';
import { removeEntries } from '../caller/remove-entries.ts';
import { type ControllerContext, controllerLoop, onStop, type RunningController } from '../context.ts';
import { createCrdNamesView } from './crd-names.ts';
import { bucketOfCrd, createCrdRegistrar } from './crd-registrar.ts';
import { decideCrd } from './decide.ts';
import { storageType, type TypesOfCrd } from './served-types.ts';

/**
 * Accepts names of CustomResourceDefinitions, serves their types and cleans up after them. Stored definitions are served
 * when this returns, changed ones before their writer has its answer, and established ones before anyone can see that
 * they are.
 */
export function startCrdController(context: ControllerContext, typesOf: TypesOfCrd): RunningController {
  const { world } = context;
  const { store } = world;
  const caller = createSystemCaller(world, API_SERVER);
  const registrar = createCrdRegistrar(context, typesOf);
  const names = createCrdNamesView(store);
  const instanceWatches = new Map<string, () => void>();
  const loop = controllerLoop(context, 'customresourcedefinition', handle);

  async function handle(name: string): Promise<void> {
    const entry = store.get(crdBucket, keyOf(undefined, name));
    if (!entry) return;
    const crd = entry.object() as Crd;
    const bucket = bucketOfCrd(crd);
    const isBuiltIn = registrar.isBuiltIn(crd);
    const seen = { crd, others: names.othersOf(name), instances: store.count(bucket), isBuiltIn };
    const step = decideCrd({ ...seen, now: kubeTime(world.now()) });
    switch (step.do) {
      case 'nothing':
        return;
      case 'writeStatus':
        return writeStatus({ ...crd, status: step.status });
      case 'deleteInstances':
        return deleteInstances(crd);
      case 'release':
        return release(crd);
    }
  }

  async function writeStatus(crd: Crd): Promise<void> {
    registrar.show(crd);
    await caller.replace(crdType(), crd, 'status');
  }

  async function deleteInstances(crd: Crd): Promise<void> {
    watchInstances(crd);
    const type = storageType(crd, typesOf);
    if (type) await removeEntries(caller, type, store.scan(type.bucket));
  }

  async function release(crd: Crd): Promise<void> {
    const { name = '', resourceVersion = '', finalizers = [] } = crd.metadata;
    const left = finalizers.filter((finalizer) => finalizer !== cleanupFinalizer);
    const metadata = { resourceVersion, finalizers: left.length === 0 ? null : left };
    await caller.mergePatch(crdType(), { name }, { metadata });
  }

  function watchInstances(crd: Crd): void {
    const { name = '' } = crd.metadata;
    if (instanceWatches.has(name)) return;
    const bucket = bucketOfCrd(crd);
    const listener = () => {
      if (store.count(bucket) === 0) loop.add(name);
    };
    instanceWatches.set(name, store.watch(bucket, store.revision, listener));
  }

  function onEvent({ entry: { key } }: StoredEvent): void {
    const name = key.slice(1);
    const entry = store.get(crdBucket, key);
    if (entry) showStored(entry.object() as Crd);
    else forget(name);
    for (const concerned of [name, ...names.contendersWith(name)]) loop.add(concerned);
  }

  /** A stored definition that cannot be served must not keep the others from being served. */
  function showStored(crd: Crd): void {
    const { name = '' } = crd.metadata;
    try {
      registrar.show(crd);
    } catch (error) {
      registrar.hide(name);
      context.log.warn({ name, problem: String(error) }, 'a custom resource definition cannot be served');
    }
  }

  function forget(name: string): void {
    registrar.hide(name);
    instanceWatches.get(name)?.();
    instanceWatches.delete(name);
  }

  const crdType = () => world.registry.require(crdGroup, 'v1', 'customresourcedefinitions');

  const endWatch = store.watch(crdBucket, store.revision, onEvent);
  onStop(context, () => {
    endWatch();
    for (const end of instanceWatches.values()) end();
  });
  for (const entry of store.scan(crdBucket)) {
    showStored(entry.object() as Crd);
    loop.add(entry.key.slice(1));
  }
  return { loop };
}
