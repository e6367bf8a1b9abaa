import { setTimeout as pauseFor } from 'node:timers/promises';
import { eventually } from '@klutch/kube/testing';
import { expect } from 'vitest';
import { differences } from './agreement.ts';
import { createDice } from './dice.ts';
import { makeTrouble, type Schedule } from './schedules.ts';
import type { Stage } from './stage.ts';
import { letEverythingGo, openStory, playStory, type Story } from './story.ts';

/** Plays so many stories at once, in trouble of one kind, and holds the end against what their authors wrote last. */
export async function playStories(stage: Stage, schedule: Schedule, seed: number, count: number): Promise<void> {
  const { world, replicas } = stage;
  const dice = createDice(seed);
  const before = replicas.writes().length;
  const stories = await Promise.all(Array.from({ length: count }, () => openStory(world)));
  const stop = new AbortController();
  const trouble = makeTrouble(stage, schedule, createDice(seed + 7), stop.signal);
  const course = { acts: 15, paceMs: schedule.paceMs };
  const played = stories.map((story) => playStory(world, story, createDice(dice.between(0, 2 ** 31)), course));
  await Promise.allSettled(played);
  stop.abort();
  await trouble;
  await Promise.all(played);
  for (const story of stories) await letEverythingGo(world, story);

  await eventually(
    async () => {
      const found = (await Promise.all(stories.map((story) => differences(world, story)))).flat();
      if (found.length > 0) throw new Error(`Not as it was written: ${found.join('; ')}`);
      return true;
    },
    { withinMs: 90_000, everyMs: 100 },
  );
  expect(deletedWithoutEvidence(stage, stories, before)).toEqual([]);
  await expectRest(stage);
}

/** Copies that the konnector deleted more often than the user deleted their claims. */
function deletedWithoutEvidence({ replicas, world: { api } }: Stage, stories: readonly Story[], before: number) {
  const deleted = new Map<string, Set<string>>();
  for (const { method, path, body } of replicas.writes().slice(before)) {
    const [, namespace = '', name = ''] =
      new RegExp(`/namespaces/([^/]+)/${api.type.plural}/([^/?]+)`).exec(path) ?? [];
    if (method !== 'DELETE' || name === '') continue;
    const key = `${namespace}/${name}`;
    deleted.set(key, (deleted.get(key) ?? new Set()).add(uidIn(body)));
  }
  return [...deleted].filter(([key, uids]) => {
    const [namespace, name = ''] = key.split('/');
    const story = stories.find(({ serviceNamespace }) => serviceNamespace === namespace);
    return uids.size > (story?.user.deletions(name) ?? 0);
  });
}

/** Deletions name the copy that is meant. */
function uidIn(body = '{}'): string {
  return (JSON.parse(body) as { readonly preconditions?: { readonly uid?: string } }).preconditions?.uid ?? '';
}

/** In two seconds of rest nothing is written any more, whatever was still under way when they began. */
async function expectRest({ replicas }: Stage): Promise<void> {
  await eventually(
    async () => {
      const count = replicas.writes().length;
      await pauseFor(2_000);
      return replicas.writes().length === count;
    },
    { withinMs: 30_000 },
  );
}
