import { annotations, boundValue, fieldManager, finalizers } from '@klutch/api';
import {
  type CallOptions,
  isKubeError,
  keyOf,
  type Logger,
  type ObjectRef,
  refOf,
  type ResourceClient,
  type UnknownObject,
} from '@klutch/kube';
import type { Line } from '../epoch/line.ts';
import { marksOf } from '../ownership/marks.ts';
import type { KonnectorMetrics } from '../process/metrics.ts';
import type { CrdLook } from './crd-look.ts';
import { shortfallOf, specVersionOf, statusOutcome } from './identity.ts';
import type { Step } from './decision.ts';
import { emptyingPatch } from './emptied-maps.ts';
import type { KeyMemory, Memory } from './memory.ts';
import { handOver } from './migrate-managers.ts';
import { isRevert, nextRevert } from './reverts.ts';
import { isRejection, rejectionOf } from './rejection.ts';
import type { Looked } from './seen.ts';
import { isSameStatus } from './status-patch.ts';
import type { Written } from './written.ts';

/** What carrying out steps needs. */
export interface Hands {
  readonly app: ResourceClient<UnknownObject>;
  readonly controlPlane: ResourceClient<UnknownObject>;
  readonly statusSubresource: boolean;
  readonly crd: CrdLook;
  /** The history of the app cluster. */
  readonly line: Line;
  readonly memory: Memory;
  readonly writtenApp: Written;
  readonly writtenCopies: Written;
  readonly metrics: KonnectorMetrics;
  now(): number;
}

/** The key a step is for. */
export interface Task {
  readonly key: string;
  /** UID of the original, if there is one. */
  readonly originalUid: string | undefined;
  /** Where its copy belongs, if that is known. */
  readonly place: ObjectRef | undefined;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/**
 * Carries out one step and remembers what came of it. A rejection by the control plane is remembered, all other failures
 * are thrown. Answers with what was learnt by asking.
 */
export async function act(step: Step, task: Task, hands: Hands): Promise<Looked> {
  switch (step.do) {
    case 'rest':
      return {};
    case 'claim':
      await claim(step.original, task, hands);
      return {};
    case 'apply':
      await apply(step, task, hands);
      return {};
    case 'status':
      await writeStatus(step, task, hands);
      return {};
    case 'deleteCopy':
      await deleteCopy(step, task, hands);
      return {};
    case 'release':
      await release(step, task, hands);
      return {};
    case 'create':
      await create(step, task, hands);
      return {};
    case 'look':
      return look(step.at, task, hands);
    case 'confirm':
      return { isConfirmed: await hands.line.confirm(step.stamp, step.timesSetBack) };
  }
}

async function claim({ metadata }: UnknownObject, task: Task, hands: Hands): Promise<void> {
  const patch = {
    metadata: {
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
      finalizers: [...new Set([...(metadata.finalizers ?? []), finalizers.syncer])],
      annotations: { [annotations.bound]: boundValue },
    },
  };
  const answer = await patchOriginal(patch, task, hands);
  // The answer shows that the original is there, in the state that the cluster has now. The copy needs a stamp next.
  const text = answer && hands.line.promise();
  if (text !== undefined) hands.memory.change(task.key, { stamp: { uid: metadata.uid ?? '', text } });
}

async function release(step: Extract<Step, { do: 'release' }>, task: Task, hands: Hands): Promise<void> {
  const { metadata } = step.original;
  // Known before the original can go, so that its going is not taken for the user's wish.
  if (step.withCrd) hands.memory.change(task.key, { releasedWithCrd: true });
  const patch = {
    metadata: {
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
      finalizers: (metadata.finalizers ?? []).filter((finalizer) => finalizer !== finalizers.syncer),
    },
  };
  await patchOriginal(patch, task, hands);
}

/** Patches the original; one that is gone meanwhile needs no patch, and gives no answer. */
async function patchOriginal(
  patch: object,
  task: Task,
  hands: Hands,
  subresource?: string,
): Promise<UnknownObject | undefined> {
  const options = { ...callOptions(task), fieldManager, subresource };
  hands.metrics.wrote('app', part, 'patch');
  try {
    const answer = await hands.app.patch(refOf(task.key), { type: 'merge', patch }, options);
    if (isGone(answer)) hands.writtenApp.gone(task.key, answer.metadata.uid);
    else hands.writtenApp.put(task.key, answer);
    // That it goes may be news, which the watch has not brought yet.
    if (answer.metadata.deletionTimestamp !== undefined) hands.memory.change(task.key, { seenAt: hands.now() });
    return answer;
  } catch (error) {
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
    // The watch will tell; until then the next look must not find the original again.
    await look('original', task, hands);
    return undefined;
  }
}

/** The last finalizer was taken off: the object went with the answer, whose version says nothing. */
function isGone({ metadata: { deletionTimestamp, finalizers = [] } }: UnknownObject): boolean {
  return deletionTimestamp !== undefined && finalizers.length === 0;
}

async function writeStatus(step: Extract<Step, { do: 'status' }>, task: Task, hands: Hands): Promise<void> {
  const { key } = task;
  let after: UnknownObject | undefined = step.original;
  try {
    after = await patchOriginal(step.patch, task, hands, hands.statusSubresource ? 'status' : undefined);
  } catch (error) {
    if (!isKubeError(error, 'KUBE_INVALID')) throw error;
    if (step.hasCondition) return hands.memory.change(key, { refusesCondition: true });
    task.log.warn({ err: error }, 'the app cluster refuses the status of the control plane');
  }
  carried('down', hands.memory.of(key).changedDown, hands);
  // What the app cluster makes of it is not asked for again.
  const toleratedStatus =
    after === undefined || isSameStatus(step.wanted, after['status']) ? undefined : statusOutcome(after, step.wanted);
  hands.memory.change(key, { toleratedStatus, changedDown: undefined });
}

async function apply(step: Extract<Step, { do: 'apply' }>, task: Task, hands: Hands): Promise<void> {
  const { key, place } = task;
  if (place === undefined) return;
  const { wanted, over } = step;
  try {
    const precondition = await beforeApply(over, place, task, hands);
    const given = precondition && (await stampFor(step, task, hands));
    if (precondition === undefined || given === undefined) return;
    // A copy may exist from here on, even if its answer is lost.
    hands.memory.change(key, { sawCopyGo: undefined, deletionSent: undefined });
    const stamped = { ...wanted.metadata.annotations, ...(given.stamp ? { [annotations.stamp]: given.stamp } : {}) };
    const body = { ...wanted, metadata: { ...wanted.metadata, ...precondition, annotations: stamped } };
    const answer = await applyBody(body, over?.copy, task, hands);
    hands.metrics.wrote('control-plane', part, 'apply');
    carried('up', hands.memory.of(key).changedUp, hands);
    hands.writtenCopies.put(keyOf(place), answer);
    const reverts =
      over && isRevert(wanted, over.copy) ? nextRevert(hands.memory.of(key).reverts, hands.now()) : undefined;
    hands.memory.change(key, { ...accepted(shortfallOf(wanted, answer)), ...(reverts ? { reverts } : {}) });
  } catch (error) {
    if (!isRejection(error)) throw error;
    const before = hands.memory.of(key).rejection;
    const attempt = { applied: marksOf(wanted).applied ?? '', copyVersion: specVersionOf(over?.copy) };
    hands.memory.change(key, { rejection: rejectionOf(error, attempt, before, hands.now()) });
    task.log.warn({ reason: error.reason, code: error.code }, 'the control plane refuses an object');
  }
}

/** Applies; where that is refused and a map becomes empty, its entries are taken out first. */
async function applyBody(
  body: UnknownObject,
  copy: UnknownObject | undefined,
  task: Task,
  hands: Hands,
): Promise<UnknownObject> {
  const options = { ...callOptions(task), fieldManager, force: true };
  try {
    return await hands.controlPlane.apply(body, options);
  } catch (error) {
    const emptying = copy && isKubeError(error, 'KUBE_INVALID') ? emptyingPatch(body, copy) : undefined;
    if (emptying === undefined || task.place === undefined) throw error;
    const { uid, resourceVersion } = copy?.metadata ?? {};
    const patch = { ...emptying, metadata: { uid, resourceVersion } };
    const { metadata } = await hands.controlPlane.patch(
      task.place,
      { type: 'merge', patch },
      { ...callOptions(task), fieldManager },
    );
    hands.metrics.wrote('control-plane', part, 'patch');
    // Whatever version was asked for is the one before the patch.
    const after = body.metadata.resourceVersion === undefined ? {} : { resourceVersion: metadata.resourceVersion };
    return hands.controlPlane.apply({ ...body, metadata: { ...body.metadata, ...after } }, options);
  }
}

function accepted(toleratedShortfall: string | undefined): Partial<KeyMemory> {
  return { toleratedShortfall, rejection: undefined, changedUp: undefined, stamp: undefined };
}

/** The stamp for a copy: the one it has, as long as it is of this original and this history, or else a new one. Undefined: the original is gone. */
async function stampFor(
  { wanted, over }: Extract<Step, { do: 'apply' }>,
  task: Task,
  hands: Hands,
): Promise<{ readonly stamp: string | undefined } | undefined> {
  const { sourceUid } = marksOf(wanted);
  const present = over && marksOf(over.copy);
  if (present?.sourceUid === sourceUid && hands.line.judge(present?.stamp) === 'here') return { stamp: present?.stamp };
  const { stamp } = hands.memory.of(task.key);
  if (stamp !== undefined && stamp.uid === sourceUid) return { stamp: stamp.text };
  const text = await hands.line.reserve();
  if (text === undefined) return { stamp: undefined };
  // A cache may show what a restored cluster no longer has; a stamp would prove that it had it.
  const { isOriginalAbsent } = await look('original', task, hands);
  return isOriginalAbsent ? undefined : { stamp: text };
}

/**
 * What must still hold when the apply arrives; undefined when something else is there than was thought. An object that
 * becomes ours is looked at once more, and its fields of the Go konnector are handed over to us.
 */
async function beforeApply(
  over: Extract<Step, { do: 'apply' }>['over'],
  place: ObjectRef,
  task: Task,
  hands: Hands,
): Promise<{ readonly uid?: string; readonly resourceVersion?: string } | undefined> {
  if (over && !over.isTakeOver) return { uid: over.copy.metadata.uid };
  // In our own namespaces nobody else can be overwritten; elsewhere even a moment counts.
  if (!over && place.namespace !== undefined) return {};
  let live = await hands.controlPlane.find(place, callOptions(task));
  if (!over && live === undefined) return {};
  if (live === undefined) {
    hands.writtenCopies.gone(keyOf(place), over?.copy.metadata.uid);
    return undefined;
  }
  if (live.metadata.resourceVersion !== over?.copy.metadata.resourceVersion) {
    hands.writtenCopies.put(keyOf(place), live);
    return undefined;
  }
  const managedFields = handOver(live);
  if (managedFields !== undefined) {
    const { uid, resourceVersion } = live.metadata;
    const patch = { metadata: { uid, resourceVersion, managedFields } };
    live = await hands.controlPlane.patch(place, { type: 'merge', patch }, { ...callOptions(task), fieldManager });
    hands.metrics.wrote('control-plane', part, 'patch');
  }
  return { uid: live.metadata.uid, resourceVersion: live.metadata.resourceVersion };
}

async function deleteCopy(step: Extract<Step, { do: 'deleteCopy' }>, task: Task, hands: Hands): Promise<void> {
  if (task.place === undefined) return;
  const { uid = '', resourceVersion } = step.copy.metadata;
  const preconditions = step.exactly ? { uid, resourceVersion } : { uid };
  // Before the request: the watch may tell that the copy is gone earlier than the answer comes.
  hands.memory.change(task.key, { sawCopyGo: undefined });
  try {
    await hands.controlPlane.delete(task.place, { ...callOptions(task), preconditions, propagation: 'Background' });
    task.log.info({ copy: keyOf(task.place), uid }, 'copy deleted on the control plane');
  } catch (error) {
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
  }
  hands.metrics.wrote('control-plane', part, 'delete');
  // A cache that was listed after the copy was made and deleted would never tell of either.
  hands.writtenCopies.deleted(keyOf(task.place), uid);
  hands.memory.change(task.key, { deletionSent: { uid, at: hands.now() } });
}

async function create(step: Extract<Step, { do: 'create' }>, task: Task, hands: Hands): Promise<void> {
  try {
    const answer = await hands.app.create(step.original, { ...callOptions(task), fieldManager });
    hands.writtenApp.put(task.key, answer);
    task.log.info({ copy: task.place && keyOf(task.place) }, 'original created in the app cluster');
  } catch (error) {
    if (!isKubeError(error, 'KUBE_ALREADY_EXISTS')) throw error;
    await look('original', task, hands);
  }
  hands.metrics.wrote('app', part, 'create');
}

async function look(at: 'crd' | 'original' | 'copy', task: Task, hands: Hands): Promise<Looked> {
  if (at === 'crd') return { crd: await hands.crd(hands.memory.of(task.key).seenAt ?? hands.now()) };
  if (at === 'original') {
    const timesSetBack = hands.line.timesSetBack();
    const found = await hands.app.find(refOf(task.key), callOptions(task));
    if (found) hands.writtenApp.put(task.key, found);
    else hands.writtenApp.gone(task.key, task.originalUid);
    return { isOriginalAbsent: found === undefined, timesSetBack };
  }
  if (task.place === undefined) return {};
  try {
    const found = await hands.controlPlane.find(task.place, callOptions(task));
    if (found) hands.writtenCopies.put(keyOf(task.place), found);
    return { isCopyGone: found === undefined, copy: found };
  } catch (error) {
    if (!isKubeError(error, 'KUBE_FORBIDDEN')) throw error;
    return { copyProblem: error.message };
  }
}

const part = 'instances';
const timeoutMs = 30_000;

function callOptions({ signal }: Task): CallOptions {
  return { signal, timeoutMs };
}

function carried(direction: 'up' | 'down', since: number | undefined, hands: Hands): void {
  if (since !== undefined) hands.metrics.carried(direction, (hands.now() - since) / 1000);
}
