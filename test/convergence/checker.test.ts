import { setTimeout as pauseFor } from 'node:timers/promises';
import { eventually } from '@klutch/kube/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { konnectorOptions, launch, localConfig, type TestKonnector } from '../konnector/run-konnector.ts';
import { differences } from './agreement.ts';
import { type Defect, defects, playScript, sabotage } from './sabotage.ts';
import { openStory, type Story } from './story.ts';
import { openWorld, secretClaim, type World } from './world.ts';

describe('the check of stories', () => {
  let world: World;
  let konnector: TestKonnector;
  const stories = new Map<Story, Defect | undefined>();

  beforeAll(async () => {
    world = await openWorld('embedded', Math.random);
    const local = await localConfig(world.side, { apis: [world.api], claims: [secretClaim] });
    konnector = await launch(konnectorOptions(world.side, local), { interceptors: [sabotage(world, stories)] });
    await world.side.condition(world.api, 'Ready', 'True');
    for (const defect of [undefined, ...defects]) stories.set(await openStory(world), defect);
    await Promise.all([...stories.keys()].map((story) => playScript(world, story)));
  }, 120_000);
  afterAll(async () => {
    await konnector.stop();
    await world.close();
  });

  const storyWith = (defect: Defect | undefined) =>
    [...stories].filter(([, one]) => one === defect).map(([story]) => differences(world, story));

  it('finds nothing when the konnector does what it should', async () => {
    await eventually(async () => (await Promise.all(storyWith(undefined))).flat().length === 0, { withinMs: 30_000 });
  });

  it.each(defects)('finds that the konnector $title', async (defect) => {
    const look = async () => (await Promise.all(storyWith(defect))).flat().join('\n');
    await eventually(async () => defect.found.test(await look()), { withinMs: 30_000 });
    // It is no passing state of a konnector that is at work.
    await pauseFor(500);
    expect(await look()).toMatch(defect.found);
  });
});
