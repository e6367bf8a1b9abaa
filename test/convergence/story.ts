import { setTimeout as pauseFor } from 'node:timers/promises';
import { isKubeError, type ObjectRef, Secrets } from '@klutch/kube';
import { widget } from '../konnector/app-side.ts';
import type { Dice } from './dice.ts';
import type { Stage } from './stage.ts';

/** Where a story takes place. */
export interface Scene {
  readonly appNamespace: string;
  readonly serviceNamespace: string;
}

/** What user and provider did in one namespace. */
export interface Story extends Scene {
  /** Objects that the user deleted, by name: only their copies may have been deleted by the konnector. */
  readonly deletedByUser: ReadonlySet<string>;
}

const names = ['one', 'two', 'three'];
const hold = 'convergence.test/hold';

/** A namespace that the control plane knows: a first object makes the konnector ask for it. */
export async function openScene({ app, api, tenant, side }: Stage): Promise<Scene> {
  const { name: appNamespace } = (await side.namespace('story')).metadata;
  await app.admin.resource(api.type).create(widget(api, 'first', appNamespace, { size: 1 }));
  return { appNamespace, serviceNamespace: await tenant.serviceNamespace(appNamespace) };
}

/**
 * Plays a story: the user edits in the app cluster, the provider on the control plane, at random, while other things may
 * go wrong. What fails because of that is as if it had not been tried.
 */
export async function playStory(stage: Stage, scene: Scene, dice: Dice, acts: number): Promise<Story> {
  const { app, controlPlane, api } = stage;
  const { appNamespace, serviceNamespace } = scene;
  const originals = app.admin.resource(api.type);
  const copies = controlPlane.admin.resource(api.type);
  const secrets = controlPlane.admin.resource(Secrets);
  const deletedByUser = new Set<string>();
  const name = () => dice.pick(names.map((one) => [1, one] as const));
  const original = (): ObjectRef => ({ namespace: appNamespace, name: name() });
  const copy = (): ObjectRef => ({ namespace: serviceNamespace, name: name() });
  const secret = (): ObjectRef => ({ namespace: serviceNamespace, name: `${name()}-creds` });
  const merge = (patch: object) => ({ type: 'merge', patch }) as const;

  const user = {
    create: () => originals.create(widget(api, name(), appNamespace, { size: dice.between(1, 9), plan: 'small' })),
    grow: () => originals.patch(original(), merge({ spec: { size: dice.between(10, 99) } })),
    setTags: () => originals.patch(original(), merge({ spec: { tags: [`t${dice.between(1, 9)}`] } })),
    dropTags: () => originals.patch(original(), merge({ spec: { tags: null, plan: null } })),
    label: () => originals.patch(original(), merge({ metadata: { labels: { team: `l${dice.between(1, 9)}` } } })),
    delete: async () => {
      const ref = original();
      // Noted first: the request may take effect although its answer gets lost.
      deletedByUser.add(ref.name);
      await originals.delete(ref);
    },
  };
  const provider = {
    report: () =>
      copies.patch(copy(), merge({ status: { phase: `p${dice.between(1, 9)}` } }), { subresource: 'status' }),
    clear: () => copies.patch(copy(), merge({ status: null }), { subresource: 'status' }),
    drift: () => copies.patch(copy(), merge({ spec: { size: dice.between(100, 199) } })),
    refer: () => copies.patch(copy(), merge({ spec: { resourceRef: { name: `r${dice.between(1, 9)}` } } })),
    hold: () => copies.patch(copy(), merge({ metadata: { finalizers: [hold] } })),
    letGo: () => copies.patch(copy(), merge({ metadata: { finalizers: null } })),
    delete: () => copies.delete(copy()),
    give: () => secrets.create({ apiVersion: 'v1', kind: 'Secret', metadata: secret(), data: password(dice) }),
    rotate: () => secrets.patch(secret(), merge({ data: password(dice) })),
    take: () => secrets.delete(secret()),
  };
  const { create, delete: remove, ...edits } = user;
  const doings = [
    [6, create],
    [2, remove],
    ...Object.values(edits).map((act) => [1.5, act] as const),
    ...Object.values(provider).map((act) => [1, act] as const),
  ] as const;

  for (let act = 0; act < acts; act++) {
    await attempt(dice.pick<() => Promise<unknown>>(doings));
    await pauseFor(dice.between(0, 40));
  }
  return { appNamespace, serviceNamespace, deletedByUser };
}

/** Takes away what only stories put in the way. */
export async function letEverythingGo({ controlPlane, api }: Stage, { serviceNamespace }: Story): Promise<void> {
  const copies = controlPlane.admin.resource(api.type);
  const { items } = await copies.list({ namespace: serviceNamespace });
  for (const { metadata } of items) {
    if (!metadata.finalizers?.includes(hold)) continue;
    const ref = { namespace: serviceNamespace, name: metadata.name ?? '' };
    await attempt(() => copies.patch(ref, { type: 'merge', patch: { metadata: { finalizers: null } } }));
  }
}

function password(dice: Dice): Record<string, string> {
  return { password: Buffer.from(`pw-${dice.between(1, 1_000_000)}`).toString('base64') };
}

/** Stories happen to objects that may not be there, and to servers that may be away. */
async function attempt(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isKubeError(error)) throw error;
  }
}
