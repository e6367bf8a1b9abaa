import { setTimeout as pauseFor } from 'node:timers/promises';
import { isKubeError } from '@klutch/kube';
import { widget } from '../konnector/app-side.ts';
import { type Author, createAuthor } from './author.ts';
import type { Dice } from './dice.ts';
import { createReporter, type Reporter } from './reporter.ts';
import { claimView, note, secretView } from './view.ts';
import { SecretType, type World } from './world.ts';

/** What user and provider do in one namespace. */
export interface Story {
  readonly appNamespace: string;
  readonly serviceNamespace: string;
  /** Writes claims. */
  readonly user: Author;
  /** Reports on their copies. */
  readonly provider: Reporter;
  /** The provider, too, as the author of Secrets. */
  readonly giver: Author;
}

const names = ['one', 'two', 'three'];
const hold = 'convergence.test/hold';

/** A story in a namespace that the control plane knows: a first claim makes the konnector ask for it. */
export async function openStory({ user, provider, api, tenant, side }: World): Promise<Story> {
  const { name: appNamespace } = (await side.namespace('story')).metadata;
  const author = createAuthor(user.resource(api.type), { namespace: appNamespace, view: claimView });
  await author.create(widget(api, 'first', appNamespace, { size: 1 }));
  const serviceNamespace = await tenant.serviceNamespace(appNamespace);
  return {
    appNamespace,
    serviceNamespace,
    user: author,
    provider: createReporter(provider.resource(api.type), serviceNamespace),
    giver: createAuthor(provider.resource(SecretType), { namespace: serviceNamespace, view: secretView }),
  };
}

export interface Course {
  readonly acts: number;
  /** Longest pause between two acts, in milliseconds. */
  readonly paceMs: number;
}

/** Plays a story: the user edits in the app cluster, the provider on the control plane, at random. */
export async function playStory(world: World, story: Story, dice: Dice, { acts, paceMs }: Course): Promise<void> {
  const { user, provider, giver, appNamespace, serviceNamespace } = story;
  const name = () => dice.pick(names.map((one) => [1, one] as const));
  const secret = () => `${name()}-creds`;
  const asStatus = { subresource: 'status' } as const;

  const { create, remove, ...edits } = {
    create: () => user.create(widget(world.api, name(), appNamespace, { size: dice.between(1, 9), plan: 'small' })),
    remove: () => user.delete(name()),
    grow: () => user.patch(name(), { spec: { size: dice.between(10, 99) } }),
    setTags: () => user.patch(name(), { spec: { tags: [`t${dice.between(1, 9)}`] } }),
    dropTags: () => user.patch(name(), { spec: { tags: null, plan: null } }),
    label: () => user.patch(name(), { metadata: { labels: { team: `l${dice.between(1, 9)}` } } }),
    annotate: () => user.patch(name(), { metadata: { annotations: { [note]: `n${dice.between(1, 9)}` } } }),
  };
  const providers = {
    report: () => provider.patch(name(), { status: { phase: `p${dice.between(1, 9)}` } }, asStatus),
    clear: () => provider.patch(name(), { status: null }, asStatus),
    drift: () => provider.patch(name(), { spec: { size: dice.between(100, 199) } }),
    refer: () => provider.patch(name(), { spec: { resourceRef: { name: `r${dice.between(1, 9)}` } } }),
    hold: () => provider.patch(name(), { metadata: { finalizers: [hold] } }),
    letGo: () => provider.patch(name(), { metadata: { finalizers: null } }),
    delete: () => provider.delete(name()),
    give: () =>
      giver.create({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: serviceNamespace, name: secret() },
        data: password(dice),
      }),
    rotate: () => giver.patch(secret(), { data: password(dice) }),
    take: () => giver.delete(secret()),
  };
  const doings = [
    [6, create],
    [2, remove],
    ...Object.values(edits).map((act) => [1.5, act] as const),
    ...Object.values(providers).map((act) => [1, act] as const),
  ] as const;

  for (let act = 0; act < acts; act++) {
    await dice.pick<() => Promise<void>>(doings)();
    await pauseFor(dice.between(0, paceMs));
  }
}

/** Takes away what only stories put in the way. */
export async function letEverythingGo({ controlPlane, api }: World, { serviceNamespace }: Story): Promise<void> {
  const copies = controlPlane.admin.resource(api.type);
  const { items } = await copies.list({ namespace: serviceNamespace });
  for (const { metadata } of items) {
    if (!metadata.finalizers?.includes(hold)) continue;
    const ref = { namespace: serviceNamespace, name: metadata.name ?? '' };
    try {
      await copies.patch(ref, { type: 'merge', patch: { metadata: { finalizers: null } } });
    } catch (error) {
      if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
    }
  }
}

function password(dice: Dice): Record<string, string> {
  return { password: Buffer.from(`pw-${dice.between(1, 1_000_000)}`).toString('base64') };
}
