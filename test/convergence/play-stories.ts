import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Tier } from '@klutch/kit';
import { eventually } from '@klutch/kube/testing';
import { expect } from 'vitest';
import { differences } from './agreement.ts';
import { createDice } from './dice.ts';
import { openStage, type Stage } from './stage.ts';
import { letEverythingGo, openScene, playStory, type Story } from './story.ts';
import { makeTrouble } from './trouble.ts';

/** Set it to the seed that a failed run names, to play the same stories again. */
const seed = Number(process.env['KLUTCH_SEED'] ?? 20_261_115);
const storiesAtOnce = 20;

/** Plays so many stories on a tier, some at a time; `part` tells those of several files apart. */
export async function playStories(tier: Tier, part: number, stories: number): Promise<void> {
  const first = seed + part * 1_000_000;
  const stage = await openStage(tier, createDice(first));
  try {
    for (let played = 0; played < stories; played += storiesAtOnce) await playAtOnce(stage, first + played);
  } finally {
    await stage.close();
  }
}

async function playAtOnce(stage: Stage, episode: number): Promise<void> {
  const dice = createDice(episode);
  const before = stage.konnector.writes().length;
  const scenes = await Promise.all(Array.from({ length: storiesAtOnce }, () => openScene(stage)));
  const stop = new AbortController();
  const trouble = makeTrouble(stage, createDice(episode + 7), stop.signal);
  const played = scenes.map((scene) => playStory(stage, scene, createDice(dice.between(0, 2 ** 31)), 15));
  await Promise.allSettled(played);
  stop.abort();
  await trouble;
  const stories = await Promise.all(played);
  for (const story of stories) await letEverythingGo(stage, story);

  const told = `KLUTCH_SEED=${seed}, episode ${episode}`;
  await eventually(
    async () => {
      const found = (await Promise.all(stories.map((story) => differences(stage, story)))).flat();
      if (found.length > 0) throw new Error(`${told}: the sides differ: ${found.join('; ')}`);
      return true;
    },
    { withinMs: 90_000, everyMs: 100 },
  );
  expect(deletedWithoutEvidence(stage, stories, before), told).toEqual([]);
  await expectRest(stage, told);
}

/** Copies that the konnector deleted although the user had not deleted their originals. */
function deletedWithoutEvidence({ konnector, api }: Stage, stories: readonly Story[], before: number) {
  const collection = `/${api.type.plural}/`;
  return konnector
    .writes()
    .slice(before)
    .filter(({ method, path }) => method === 'DELETE' && path.includes(collection))
    .filter(({ path }) => {
      const story = stories.find(({ serviceNamespace }) => path.includes(`/namespaces/${serviceNamespace}/`));
      const name = path.slice(path.indexOf(collection) + collection.length).replace(/\?.*/, '');
      return !story?.deletedByUser.has(name);
    });
}

/** In two seconds of rest nothing is written any more, whatever was still under way when they began. */
async function expectRest({ konnector }: Stage, told: string): Promise<void> {
  const quiet = await eventually(
    async () => {
      const count = konnector.writes().length;
      await pauseFor(2_000);
      return konnector.writes().length === count;
    },
    { withinMs: 30_000 },
  );
  expect(quiet, told).toBe(true);
}
