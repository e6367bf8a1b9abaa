import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Fault } from '@klutch/kube/testing';
import type { Dice } from './dice.ts';
import type { Stage } from './stage.ts';

/** Makes things go wrong, one after the other, until the signal aborts; then everything is well again. */
export async function makeTrouble(stage: Stage, dice: Dice, signal: AbortSignal): Promise<void> {
  const { tenant, konnector, app, controlPlane } = stage;
  const faults: readonly Fault[] = [
    { type: 'status', status: 409 },
    { type: 'status', status: 410 },
    { type: 'status', status: 429, retryAfterSeconds: 0 },
    { type: 'status', status: 500 },
    { type: 'drop' },
    { type: 'loseAnswer' },
    { type: 'delay', ms: 60 },
    { type: 'truncate', afterBytes: 200 },
  ];
  const troubles = [
    [2, () => konnector.kill()],
    [2, async () => tenant.door.slam()],
    [
      1,
      async () => {
        tenant.door.shut();
        await pauseFor(dice.between(50, 400));
        tenant.door.open();
      },
    ],
    [
      4,
      async () => {
        const fault = dice.pick(faults.map((one) => [1, one] as const));
        const rule = konnector.faults.add({ fault, probability: 0.2, when: ({ path }) => !path.includes('/leases') });
        await pauseFor(dice.between(100, 500));
        rule.remove();
      },
    ],
    [0.25, () => controlPlane.restart()],
    [0.25, () => app.restart()],
  ] as const;
  try {
    while (!signal.aborted) {
      await pauseFor(dice.between(50, 300));
      await dice.pick<() => Promise<unknown>>(troubles)();
    }
  } finally {
    konnector.faults.clear();
    tenant.door.open();
  }
}
