import { kubeTime } from '../../operations/kube-time.ts';
import { keyOf } from '../../registry/served-resource.ts';
import type { StoredEvent } from '../../storage/types.ts';
import { controllerActor, createSystemCaller, placeOfKey } from '../caller/system-caller.ts';
import { type ControllerContext, controllerLoop, onStop, type RunningController } from '../context.ts';
import { storedTypes } from '../types/stored-types.ts';
import { watchTypes } from '../types/watch-types.ts';
import { type NamespaceCondition, type Remains, terminationConditions } from './conditions.ts';
import { countContents, emptyNamespace } from './empty-namespace.ts';
import { type Namespace, NAMESPACE_BUCKET, NAMESPACE_FINALIZER, namespaceType } from './namespace.ts';
import { ensureSystemNamespaces, SYSTEM_NAMESPACES } from './system-namespaces.ts';

/** How soon the conditions follow when some objects of a type go, but not all. */
const CONDITIONS_AFTER = 100;

/** Empties namespaces that are being deleted and lets them go when nothing is left in them. */
export function startNamespaceController(context: ControllerContext): RunningController {
  const { world } = context;
  const { store, registry } = world;
  const caller = createSystemCaller(world, controllerActor('namespace-controller'));
  const types = storedTypes(registry);
  const terminating = new Set<string>();
  const loop = controllerLoop(context, 'namespace', handle);

  async function handle(name: string): Promise<void> {
    const namespace = read(name);
    if (!namespace && SYSTEM_NAMESPACES.includes(name)) await ensureSystemNamespaces(world);
    if (!namespace?.spec?.finalizers?.includes(NAMESPACE_FINALIZER)) return;
    const remains = await emptyNamespace(store, caller, types.all(), name);
    await writeStatus(name, remains);
    const [problem] = remains.failures;
    if (problem !== undefined) throw new Error(problem);
    if (remains.objects.size === 0) await finalize(name);
  }

  /** The namespace, if it is being deleted. */
  function read(name: string): Namespace | undefined {
    const namespace: Namespace | undefined = store.get(NAMESPACE_BUCKET, keyOf(undefined, name))?.object();
    return namespace?.metadata.deletionTimestamp === undefined ? undefined : namespace;
  }

  async function writeStatus(name: string, remains: Remains): Promise<void> {
    const namespace = read(name);
    if (!namespace) return;
    const before: readonly NamespaceCondition[] = namespace.status?.conditions ?? [];
    const conditions = terminationConditions(before, remains, kubeTime(world.now()));
    if (conditions === undefined && namespace.status?.phase === 'Terminating') return;
    const status = { ...namespace.status, phase: 'Terminating', conditions: conditions ?? before };
    await caller.replace(namespaceType(registry), { ...namespace, status }, 'status');
  }

  async function finalize(name: string): Promise<void> {
    const namespace = read(name);
    if (!namespace || countContents(store, types.all(), name) > 0) return loop.add(name);
    const { finalizers = [], ...spec } = namespace.spec ?? {};
    const left = finalizers.filter((finalizer) => finalizer !== NAMESPACE_FINALIZER);
    const finalized = { ...namespace, spec: left.length === 0 ? spec : { ...spec, finalizers: left } };
    await caller.replace(namespaceType(registry), finalized, 'finalize');
  }

  function onNamespace({ entry: { key } }: StoredEvent): void {
    const { name } = placeOfKey(key);
    const isTerminating = store.get(NAMESPACE_BUCKET, key)?.json.includes('"deletionTimestamp"') ?? false;
    if (isTerminating) terminating.add(name);
    else terminating.delete(name);
    if (isTerminating || SYSTEM_NAMESPACES.includes(name)) loop.add(name);
  }

  function onContent({ entry: { bucket, key } }: StoredEvent): void {
    if (terminating.size === 0) return;
    const { namespace } = placeOfKey(key);
    if (namespace === undefined || !terminating.has(namespace)) return;
    if (store.count(bucket, namespace) === 0) loop.add(namespace);
    else loop.addAfter(namespace, CONDITIONS_AFTER);
  }

  onStop(context, store.watch(NAMESPACE_BUCKET, store.revision, onNamespace));
  watchTypes(context, types, { wanted: ({ namespaced }) => namespaced, onEvent: onContent });
  for (const entry of store.scan(NAMESPACE_BUCKET)) {
    const { name } = placeOfKey(entry.key);
    if (!entry.json.includes('"deletionTimestamp"')) continue;
    terminating.add(name);
    loop.add(name);
  }
  return { loop };
}
