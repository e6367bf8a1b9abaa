import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Fault } from '@klutch/kube/testing';
import type { Dice } from './dice.ts';
import type { Stage } from './stage.ts';

/** A kind of trouble that stories are played in. */
export interface Schedule {
  readonly title: string;
  /** Longest pause of user and provider between two acts, in milliseconds: a story has to last as long as its trouble. */
  readonly paceMs: number;
  /** What may go wrong, each as often as its weight says. */
  readonly troubles: readonly (readonly [weight: number, trouble: Trouble])[];
}

/** Makes something go wrong, and resolves when it is over. */
type Trouble = (stage: Stage, dice: Dice) => Promise<unknown>;

/** Makes things go wrong, one after the other, until the signal aborts; then everything is well again. */
export async function makeTrouble(stage: Stage, schedule: Schedule, dice: Dice, signal: AbortSignal): Promise<void> {
  try {
    do {
      await pauseFor(dice.between(50, 300));
      await dice.pick(schedule.troubles)(stage, dice);
    } while (!signal.aborted);
  } finally {
    stage.replicas.setFault(undefined);
    stage.replicas.setClocks(0);
    stage.world.peoplesFaults.clear();
    stage.world.tenant.door.open();
  }
}

const kill: Trouble = async ({ replicas }, dice) => {
  // Whoever leads since a moment ago may get to any point of its work.
  await pauseFor(dice.between(0, 1_500));
  await replicas.killLeader();
};
const restartApp: Trouble = ({ world }) => world.app.restart();
const restartControlPlane: Trouble = ({ world }) => world.controlPlane.restart();
const setClocks: Trouble = async ({ replicas }) => replicas.setClocks(600);
const slam: Trouble = async ({ world }) => world.tenant.door.slam();
const shut: Trouble = async ({ world }, dice) => {
  world.tenant.door.shut();
  await pauseFor(dice.between(50, 400));
  world.tenant.door.open();
};

/** Requests of the konnector fail in one way for a while. */
const fail =
  (faults: readonly Fault[]): Trouble =>
  async ({ replicas }, dice) => {
    replicas.setFault(dice.pick(faults.map((one) => [1, one] as const)), 0.2);
    await pauseFor(dice.between(100, 500));
    replicas.setFault(undefined);
  };

/** People do not learn what became of their writes for a while. */
const keepInTheDark: Trouble = async ({ world }, dice) => {
  const rule = world.peoplesFaults.add({ fault: { type: 'loseAnswer' }, probability: 0.5 });
  await pauseFor(dice.between(100, 300));
  rule.remove();
};

const refusals: readonly Fault[] = [
  { type: 'status', status: 409 },
  { type: 'status', status: 410 },
  { type: 'status', status: 429, retryAfterSeconds: 0 },
  { type: 'status', status: 500 },
];
const breaks: readonly Fault[] = [
  { type: 'drop' },
  { type: 'loseAnswer' },
  { type: 'delay', ms: 60 },
  { type: 'truncate', afterBytes: 200 },
];

export const schedules: readonly Schedule[] = [
  {
    title: 'when everything goes wrong at once',
    paceMs: 100,
    troubles: [
      [2, kill],
      [2, slam],
      [1, shut],
      [4, fail([...refusals, ...breaks])],
      [1, keepInTheDark],
      [0.5, setClocks],
      [0.25, restartApp],
      [0.25, restartControlPlane],
    ],
  },
  {
    title: 'while API servers restart over their storage',
    paceMs: 400,
    troubles: [
      [1, restartApp],
      [1, restartControlPlane],
    ],
  },
  {
    title: 'while connections break, requests are refused and answers get lost',
    paceMs: 200,
    troubles: [
      [2, slam],
      [1, shut],
      [2, fail(refusals)],
      [3, fail(breaks)],
      [2, keepInTheDark],
    ],
  },
  { title: 'while leaders are killed with SIGKILL', paceMs: 400, troubles: [[1, kill]] },
  {
    title: 'while clocks are wrong by up to 10 minutes and leaders change',
    paceMs: 300,
    troubles: [
      [1, setClocks],
      [1, kill],
    ],
  },
];
