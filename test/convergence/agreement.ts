import { isDeepStrictEqual } from 'node:util';
import { labels } from '@klutch/api';
import { Secrets, type UnknownObject } from '@klutch/kube';
import type { Stage } from './stage.ts';
import type { Story } from './story.ts';

/** How the two sides of a story differ from what the rules of copying promise; nothing when they agree. */
export async function differences(stage: Stage, story: Story): Promise<readonly string[]> {
  const { app, controlPlane, api } = stage;
  const [originals, copies, given, received] = await Promise.all([
    byName(app.admin.resource(api.type).list({ namespace: story.appNamespace })),
    byName(controlPlane.admin.resource(api.type).list({ namespace: story.serviceNamespace })),
    byName(controlPlane.admin.resource(Secrets).list({ namespace: story.serviceNamespace })),
    byName(
      app.admin
        .resource(Secrets)
        .list({ namespace: story.appNamespace, labelSelector: `${labels.claimedFrom}=Provider` }),
    ),
  ]);
  return [
    ...[...originals].flatMap(([name, original]) => compareObjects(name, original, copies.get(name))),
    ...[...copies.keys()].filter((name) => !originals.has(name)).map((name) => `${name}: only on the control plane`),
    ...[...given].flatMap(([name, secret]) => compareSecrets(name, secret, received.get(name))),
    ...[...received.keys()].filter((name) => !given.has(name)).map((name) => `Secret ${name}: only in the app cluster`),
  ].map((difference) => `${story.appNamespace}/${difference}`);
}

function compareObjects(name: string, original: UnknownObject, copy: UnknownObject | undefined): readonly string[] {
  if (original.metadata.deletionTimestamp !== undefined) return [`${name}: still being deleted`];
  if (copy === undefined) return [`${name}: has no copy`];
  // Only the provider ever sets this field, so it has to survive; all others are the user's.
  const { resourceRef: _, ...spec } = (copy['spec'] ?? {}) as Record<string, unknown>;
  const compared = {
    spec: [original['spec'], spec],
    status: [original['status'], copy['status']],
    team: [original.metadata.labels?.['team'], copy.metadata.labels?.['team']],
  };
  return Object.entries(compared)
    .filter(([, [one, other]]) => !isDeepStrictEqual(one, other))
    .map(([what, [one, other]]) => `${name}: ${what} is ${JSON.stringify(one)}, above ${JSON.stringify(other)}`);
}

function compareSecrets(name: string, given: UnknownObject, received: UnknownObject | undefined): readonly string[] {
  if (received === undefined) return [`Secret ${name}: has no copy`];
  return isDeepStrictEqual(given['data'], received['data']) ? [] : [`Secret ${name}: the contents differ`];
}

async function byName(list: Promise<{ readonly items: readonly object[] }>): Promise<Map<string, UnknownObject>> {
  const { items } = await list;
  return new Map((items as readonly UnknownObject[]).map((item) => [item.metadata.name ?? '', item]));
}
