import { annotations, fieldManager, goKonnectorManager } from '@klutch/api';
import type { Line } from '../epoch/line.ts';
import { isKubeError, KubeError, keyOf, type ObjectRef, type ResourceClient, type UnknownObject } from '@klutch/kube';
import { type CopySources, type Owner, otherSide, roleOf } from './copy-marks.ts';
import { decide, type Removal, type Seen, type SeenObject, type Step } from './decide.ts';
import { neverTravels } from './never-travels.ts';
import { inOwnWords } from './own-words.ts';
import { renderCopy, renderUpdate } from './render-copy.ts';
import { type Rule, selects } from './rule.ts';
import type { Settled } from './settled.ts';

/** A pair of places for objects of one name. */
export interface Pair {
  readonly name: string;
  readonly appNamespace: string;
  readonly serviceNamespace: string;
  readonly ending: boolean;
}

/** What {@link carry} needs of one cluster. */
export interface Side {
  readonly client: ResourceClient<UnknownObject>;
  /** What is known of an object without asking. */
  known(ref: ObjectRef): UnknownObject | undefined;
  /** Told of the answer to a write. */
  wrote(ref: ObjectRef, verb: 'create' | 'update' | 'patch', answer: UnknownObject): void;
  /** Told that the deletion of an object was accepted. */
  removed(ref: ObjectRef, uid: string | undefined): void;
}

export interface CarryContext {
  readonly sides: Readonly<Record<Owner, Side>>;
  readonly sources: CopySources;
  /** `namespace/name` of the kubeconfig Secret in the app cluster. */
  readonly kubeconfigSecret: string;
  /** The first one that selects an object decides about it. */
  readonly rules: readonly Rule[];
  readonly settled: Settled;
  /** The histories of the two clusters. */
  readonly lines: Readonly<Record<Owner, Line>>;
  /** Whether the operator says that copies may go although nothing proves that their originals were deleted. */
  mayGo(): boolean;
  /** Whether somebody was seen deleting the object of a pair on a side. */
  deletionSeen(side: Owner, pair: Pair): boolean;
}

/** How a pair stands after it was looked after. */
export type Outcome =
  | { readonly state: 'fine' }
  | { readonly state: 'carried'; readonly owner: Owner }
  | { readonly state: 'removed'; readonly owner: Owner; readonly why: Removal }
  | { readonly state: 'conflict'; readonly rules: readonly Rule[]; readonly object?: UnknownObject }
  | { readonly state: 'held'; readonly owner: Owner };

/** Objects as the servers themselves gave them just now; null for one that does not exist. */
type Live = Partial<Record<Owner, UnknownObject | null>>;

/**
 * Brings the objects of a pair in step. Every change and deletion is decided a second time on what the servers
 * themselves say, so that a cache that lags behind destroys nothing. Errors hold nothing that a server said.
 *
 * @param isDisputed the last look found a conflict
 */
export async function carry(pair: Pair, context: CarryContext, isDisputed: boolean): Promise<Outcome> {
  try {
    return await bringInStep(pair, context, isDisputed);
  } catch (error) {
    throw inOwnWords(error);
  }
}

/** Whether neither side has an object, as far as is known without asking. */
export function isOver(pair: Pair, { sides }: CarryContext): boolean {
  return bothSides.every((side) => sides[side].known(placeOf(side, pair)) === undefined);
}

async function bringInStep(pair: Pair, context: CarryContext, isDisputed: boolean): Promise<Outcome> {
  // Of a dispute the caches may show one side only.
  const timesSetBack = onBothSides((side) => context.lines[side].timesSetBack());
  let live: Live = isDisputed ? await ask(bothSides, pair, context) : {};
  for (let round = 0; round < maxRounds; round++) {
    const seen = look(pair, context, live);
    const step = decide(seen);
    const unasked = unaskedSides(step, live);
    if (unasked.length > 0) {
      live = { ...live, ...(await ask(unasked, pair, context)) };
      continue;
    }
    if (step.do === 'remove' && !(await isConfirmed(step, seen, timesSetBack[step.owner], context))) {
      return { state: 'held', owner: step.owner };
    }
    const outcome = await act(step, seen, pair, context);
    if (outcome !== 'exists') return outcome;
    live = await ask(bothSides, pair, context);
  }
  throw new KubeError('KUBE_CONFLICT', `${pair.appNamespace}/${pair.name} changes faster than it can be followed.`);
}

const maxRounds = 5;
const bothSides: readonly Owner[] = ['Provider', 'Consumer'];

function look(pair: Pair, context: CarryContext, live: Live): Seen {
  const { sources, rules, settled } = context;
  const objects = { Provider: find('Provider'), Consumer: find('Consumer') };

  function find(side: Owner): UnknownObject | undefined {
    const known = live[side];
    return known === undefined ? context.sides[side].known(placeOf(side, pair)) : (known ?? undefined);
  }

  function see(side: Owner): SeenObject {
    const object = objects[side];
    if (object === undefined) return { role: 'absent' };
    const isStaying = neverTravels(object, side === 'Consumer' ? context.kubeconfigSecret : '');
    const copyUid = settled.copyUid(side, placeKey(side, pair));
    const role = roleOf(object, side, { sources, copyUid, neverTravels: isStaying });
    const isOriginal = (role === 'plain' || role === 'original') && !isStaying;
    const rule = isOriginal ? rules.find((one) => selects(one, side, object, pair.appNamespace)) : undefined;
    return { role, object, rule };
  }

  return {
    Provider: see('Provider'),
    Consumer: see('Consumer'),
    ending: pair.ending,
    absenceProves: onBothSides(
      (side) => context.mayGo() || originOf(side, objects[otherSide(side)], context) === 'here',
    ),
    deletionSeen: onBothSides((side) => context.deletionSeen(side, pair)),
    render: (owner, rule, copy) => {
      const original = objects[owner];
      if (original === undefined) throw new TypeError('only what exists can be copied');
      return renderCopy(owner, original, placeOf(otherSide(owner), pair), rule, sources, copy);
    },
    cameOf: (copy, wanted) => settled.cameOf(copy, wanted),
  };
}

/** Where the original of a copy was when the copy got its stamp. */
function originOf(owner: Owner, copy: UnknownObject | undefined, { lines }: CarryContext) {
  return lines[owner].judge(stampOf(copy));
}

/** Whether a removal needs no proof, or the side of the original, asked last, is still in the history of the copy's stamp. */
async function isConfirmed(
  { owner, why }: Extract<Step, { do: 'remove' }>,
  seen: Seen,
  timesSetBack: number,
  { lines, mayGo }: CarryContext,
): Promise<boolean> {
  const isProven = why !== 'the original is gone' || seen.ending || seen.deletionSeen[owner] || mayGo();
  const copy = seen[otherSide(owner)];
  if (isProven || copy.role === 'absent') return true;
  return lines[owner].confirm(stampOf(copy.object), timesSetBack);
}

/** Sides that have to be asked before the step may be taken. */
function unaskedSides(step: Step, live: Live): readonly Owner[] {
  if (step.do === 'update' || step.do === 'recreate') return without(live, [otherSide(step.owner)]);
  if (step.do === 'remove') return without(live, bothSides);
  return [];
}

function without(live: Live, sides: readonly Owner[]): readonly Owner[] {
  return sides.filter((side) => live[side] === undefined);
}

async function ask(sides: readonly Owner[], pair: Pair, { sides: clusters }: CarryContext): Promise<Live> {
  const found = sides.map(async (side) => [side, (await clusters[side].client.find(placeOf(side, pair))) ?? null]);
  return Object.fromEntries(await Promise.all(found)) as Live;
}

async function act(step: Step, seen: Seen, pair: Pair, context: CarryContext): Promise<Outcome | 'exists'> {
  switch (step.do) {
    case 'nothing':
      return { state: 'fine' };
    case 'hold':
      return { state: 'held', owner: step.owner };
    case 'conflict': {
      const object = seen.Consumer.role === 'absent' ? undefined : seen.Consumer.object;
      return { state: 'conflict', rules: step.rules, object };
    }
    case 'mark':
      await mark(step.owner, seen, pair, context);
      return { state: 'fine' };
    case 'remove':
      await remove(otherSide(step.owner), seen, pair, context);
      return { state: 'removed', owner: step.owner, why: step.why };
    case 'create':
    case 'update':
    case 'recreate': {
      if (step.do === 'recreate') await remove(otherSide(step.owner), seen, pair, context);
      const isWritten = await write(step, seen, pair, context);
      if (!isWritten) return 'exists';
      if (step.mark) await mark(step.owner, seen, pair, context);
      return { state: 'carried', owner: step.owner };
    }
  }
}

type Write = Extract<Step, { do: 'create' | 'update' | 'recreate' }>;

/** False when an object of that name turned up that nobody knew of. */
async function write(step: Write, seen: Seen, pair: Pair, context: CarryContext): Promise<boolean> {
  const { owner, wanted } = step;
  const side = otherSide(owner);
  const target = context.sides[side];
  const place = placeOf(side, pair);
  const copy = seen[side];
  const isUpdate = step.do === 'update' && copy.role !== 'absent';
  const present = copy.role === 'absent' ? undefined : copy.object;
  const given = await stampFor(owner, wanted, present, pair, context);
  if (given === undefined) return false;
  const stamped = withStamp(wanted, given.stamp);
  try {
    const answer = isUpdate
      ? await target.client.replace(renderUpdate(copy.object, stamped, managers), { fieldManager })
      : await target.client.create(stamped, { fieldManager });
    target.wrote(place, isUpdate ? 'update' : 'create', answer);
    context.settled.put(side, placeKey(side, pair), wanted, answer);
    return true;
  } catch (error) {
    if (!isUpdate && isKubeError(error, 'KUBE_ALREADY_EXISTS')) return false;
    throw error;
  }
}

/** The stamp for a copy: the one it has, as long as it is of this original and this history, or else a new one. Undefined: the original is gone. */
async function stampFor(
  owner: Owner,
  wanted: UnknownObject,
  present: UnknownObject | undefined,
  pair: Pair,
  { lines, sides }: CarryContext,
): Promise<{ readonly stamp: string | undefined } | undefined> {
  const line = lines[owner];
  const uid = sourceUidOf(wanted);
  if (sourceUidOf(present) === uid && line.judge(stampOf(present)) === 'here') return { stamp: stampOf(present) };
  // A cache may show what a restored cluster no longer has; a stamp would prove that it had it.
  const [stamp, live] = await Promise.all([newStamp(line), sides[owner].client.find(placeOf(owner, pair))]);
  return live?.metadata.uid === uid ? { stamp } : undefined;
}

/** Applications wait for copies, so one without a stamp is better than none: it is held when its original is missing. */
async function newStamp(line: Line): Promise<string | undefined> {
  try {
    return await line.reserve();
  } catch (error) {
    if (isKubeError(error, 'KUBE_CONFLICT')) throw error;
    return undefined;
  }
}

function stampOf(object: UnknownObject | undefined): string | undefined {
  return object?.metadata.annotations?.[annotations.stamp];
}

function sourceUidOf(object: UnknownObject | undefined): string | undefined {
  return object?.metadata.annotations?.[annotations.sourceUid];
}

function withStamp(object: UnknownObject, stamp: string | undefined): UnknownObject {
  if (stamp === undefined) return object;
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [annotations.stamp]: stamp } } };
}

/** Writers of metadata on copies: this konnector, and the Go one before it. */
const managers = [fieldManager, goKonnectorManager];

async function remove(side: Owner, seen: Seen, pair: Pair, { sides, settled }: CarryContext): Promise<void> {
  const copy = seen[side];
  if (copy.role === 'absent') return;
  const { uid, resourceVersion } = copy.object.metadata;
  try {
    const preconditions = { uid, resourceVersion };
    await sides[side].client.delete(placeOf(side, pair), { preconditions, propagation: 'Background' });
  } catch (error) {
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
  }
  sides[side].removed(placeOf(side, pair), uid);
  settled.forget(side, placeKey(side, pair));
}

async function mark(owner: Owner, seen: Seen, pair: Pair, { sides }: CarryContext): Promise<void> {
  const original = seen[owner];
  if (original.role === 'absent') return;
  const { uid, resourceVersion } = original.object.metadata;
  const patch = { metadata: { uid, resourceVersion, annotations: { [annotations.resourceOwner]: owner } } };
  const place = placeOf(owner, pair);
  try {
    const answer = await sides[owner].client.patch(place, { type: 'merge', patch }, { fieldManager });
    sides[owner].wrote(place, 'patch', answer);
  } catch (error) {
    // Gone already: its deletion will be seen.
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
  }
}

function onBothSides<T>(of: (side: Owner) => T): Readonly<Record<Owner, T>> {
  return { Provider: of('Provider'), Consumer: of('Consumer') };
}

function placeOf(side: Owner, { name, appNamespace, serviceNamespace }: Pair): ObjectRef {
  return { name, namespace: side === 'Provider' ? serviceNamespace : appNamespace };
}

function placeKey(side: Owner, pair: Pair): string {
  return keyOf(placeOf(side, pair));
}
