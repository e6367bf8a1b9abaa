import type { AcceptablePermissionClaim } from '@klutch/api';
import { type Clock, type Interceptor, KubeError, systemClock } from '@klutch/kube';
import { createFaults, type Faults } from '@klutch/kube/testing';
import type { AppSide } from '../konnector/app-side.ts';
import { unique } from '../konnector/clusters.ts';
import { konnectorOptions, launch, localConfig, type TestKonnector } from '../konnector/run-konnector.ts';
import type { SampleApi } from '../konnector/sample-api.ts';
import type { RecordedWrite } from '../konnector/recorded-writes.ts';
import type { Dice } from './dice.ts';

/** A konnector that can be killed as kill -9 does it, and that a successor follows. */
export interface MortalKonnector {
  /** What goes wrong with requests of whoever lives. */
  readonly faults: Faults;
  /** Everything that any of them wrote, but for their leases. */
  writes(): readonly RecordedWrite[];
  /** Ends the one that lives between two requests, or in one, and starts another. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface MortalOptions {
  readonly side: AppSide;
  readonly api: SampleApi;
  readonly claims: readonly AcceptablePermissionClaim[];
  readonly dice: Dice;
}

export async function startMortal({ side, api, claims, dice }: MortalOptions): Promise<MortalKonnector> {
  const local = await localConfig(side, { apis: [api], claims });
  const faults = createFaults(dice.next);
  // Hosts agree within a minute, but all of them may be wrong by hours.
  const skewSeconds = dice.between(-7_200, 7_200);
  const past: RecordedWrite[] = [];
  const ended: Promise<void>[] = [];
  let living = await give();

  async function give() {
    const death = mortality();
    const options = konnectorOptions(side, local);
    const konnector: TestKonnector = await launch(
      {
        ...options,
        lease: {
          ...options.lease,
          identity: unique('mortal'),
          timings: { leaseDurationMs: 2_000, renewDeadlineMs: 1_500, retryPeriodMs: 100 },
        },
      },
      { interceptors: [death.interceptor, faults.interceptor], clock: skewed(skewSeconds + dice.between(-30, 30)) },
    );
    return { konnector, death };
  }

  return {
    faults,
    writes: () => [...past, ...living.konnector.writes].filter(({ path }) => !path.includes('/leases')),
    kill: async () => {
      living.death.strike();
      past.push(...living.konnector.writes);
      // It can no longer do anything; its timers and sockets are cleared away.
      ended.push(living.konnector.stop());
      living = await give();
    },
    stop: async () => {
      await living.konnector.stop();
      await Promise.all(ended);
    },
  };
}

/** After the strike no request gets out and no answer gets in. */
export function mortality(): { readonly interceptor: Interceptor; strike(): void } {
  let isDead = false;
  const check = (object: string) => {
    if (isDead) throw new KubeError('KUBE_UNREACHABLE', `${object}: the process was killed`);
  };
  return {
    interceptor: (next) => async (request) => {
      check(request.about.object);
      const response = await next(request);
      check(request.about.object);
      return response;
    },
    strike: () => {
      isDead = true;
    },
  };
}

/** A clock that is wrong by so many seconds, but runs. */
function skewed(seconds: number): Clock {
  return { ...systemClock, date: () => new Date(systemClock.date().getTime() + seconds * 1_000) };
}
