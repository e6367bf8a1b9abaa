import { randomInt } from 'node:crypto';
import type { Tier } from '@klutch/kit';
import { afterAll, beforeAll, it } from 'vitest';
import { createDice } from './dice.ts';
import { playStories } from './play-stories.ts';
import { schedules } from './schedules.ts';
import { openStage, type Stage } from './stage.ts';

/** Different in each run. Set it to the seed that a failed run names, to play the same stories again. */
const seed = Number(process.env['KLUTCH_SEED'] ?? randomInt(2 ** 31));

export interface Stories {
  readonly tier: Tier;
  /** Tells the stories of several files apart. */
  readonly part: number;
  /** Stories in each kind of trouble. */
  readonly count: number;
}

/** Tests that play random stories, one for each kind of trouble, on two clusters of their own. */
export function describeStories({ tier, part, count }: Stories): void {
  let stage: Stage | undefined;
  beforeAll(async () => {
    console.log(`KLUTCH_SEED=${seed} plays these stories again (convergence, ${tier}, part ${part})`);
    stage = await openStage(tier, createDice(seed + part));
  }, 180_000);
  afterAll(() => stage?.close());

  for (const [index, schedule] of schedules.entries()) {
    it(`${count} random stories end as they were written ${schedule.title}`, { timeout: 240_000 }, async () => {
      if (!stage) throw new Error('The stage is open only while tests run.');
      try {
        await playStories(stage, schedule, seed + part * 1_000_000 + index * 1_000, count);
      } catch (error) {
        throw new Error(`KLUTCH_SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
    });
  }
}
