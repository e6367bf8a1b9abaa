import type { Tier } from '@klutch/kit';
import type { Dice } from './dice.ts';
import { type Replicas, startReplicas } from './replicas.ts';
import { openWorld, type World } from './world.ts';

/** Everything that stories are played on. */
export interface Stage {
  readonly world: World;
  readonly replicas: Replicas;
  close(): Promise<void>;
}

export async function openStage(tier: Tier, dice: Dice): Promise<Stage> {
  const world = await openWorld(tier, dice.next);
  const replicas = await startReplicas(world, dice);
  await world.side.condition(world.api, 'Ready', 'True');
  return {
    world,
    replicas,
    close: async () => {
      await replicas.stop();
      await world.close();
    },
  };
}
