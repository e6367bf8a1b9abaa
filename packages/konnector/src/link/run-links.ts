import type { ConditionState } from '@klutch/api';
import {
  type Clock,
  createSharedInformers,
  type KubeClient,
  type Logger,
  pause,
  scope,
  type Transport,
  whenAborted,
  withFields,
} from '@klutch/kube';
import type { BindingBoard } from '../bindings/binding-board.ts';
import { refOfBinding } from '../bindings/binding-ref.ts';
import type { BindingsOfLink } from '../bindings/bindings-of-link.ts';
import type { Kubeconfig } from '../bindings/kubeconfig-of.ts';
import type { LinkWishes } from '../bindings/run-bindings.ts';
import { type Beat, heartbeating } from '../heartbeat/heartbeating.ts';
import type { KonnectorMetrics } from '../process/metrics.ts';
import { type ConnectionState, initialState } from './connection-state.ts';
import type { Cluster } from './link.ts';
import { type Connection, type ProbeLimits, type ProbeTimings, runConnection, type Session } from './run-connection.ts';
import type { ProbeAnswer } from './probe.ts';
import { createSharedTenants, type SharedTenants, type TenantMember } from './shared-tenants.ts';
import { trimmed } from './trim.ts';

/** What differs between a konnector in the app cluster and one on the control plane. */
export interface Far {
  /** Asks the cluster of a kubeconfig who it is. */
  probe(client: KubeClient, kubeconfig: Kubeconfig, limits: ProbeLimits): Promise<ProbeAnswer>;
  identityOf(kubeconfig: Kubeconfig, uid: string): string;
  /** Does the work of a link whose far cluster answers. Must not reject. */
  work(session: FarSession): Promise<void>;
  /** What bindings have to say under `InformersSynced` because of the connection; undefined: what the work says. */
  synced(state: ConnectionState): ConditionState | undefined;
  /** Whether the far cluster is the control plane, so that its health is the heartbeat's. */
  readonly isControlPlane: boolean;
}

export interface FarSession extends Session, TenantMember {
  /** Name of the link. */
  readonly name: string;
  readonly log: Logger;
}

export interface LinksOptions {
  readonly far: Far;
  readonly open: (kubeconfig: Kubeconfig) => Transport;
  readonly board: BindingBoard;
  readonly metrics: KonnectorMetrics;
  readonly timings?: ProbeTimings;
  readonly clock: Clock;
  readonly log: Logger;
  /** Asks for another look at the bindings of a link, because the answer of `refusal` changed. */
  readonly look: (link: string) => void;
  readonly signal: AbortSignal;
}

/** The links of a konnector, each with a life of its own. */
export function runLinks(options: LinksOptions): LinkWishes & { readonly stopped: Promise<void> } {
  const { signal } = options;
  const tenants = createSharedTenants();
  const lives = new Map<string, Life>();
  const ending = new Map<string, Promise<void>>();

  function begin(name: string, kubeconfig: Kubeconfig | undefined, bindings: BindingsOfLink): void {
    const before = ending.get(name);
    const life = startLife(name, bindings, before, tenants, options);
    lives.set(name, life);
    life.want(kubeconfig);
  }

  function end(name: string, life: Life): void {
    lives.delete(name);
    const ended: Promise<void> = life.end().finally(() => {
      if (ending.get(name) === ended) ending.delete(name);
    });
    ending.set(name, ended);
  }

  return {
    want: (name, kubeconfig, bindings) => {
      if (signal.aborted) return;
      const life = lives.get(name);
      if (life) life.want(kubeconfig);
      else begin(name, kubeconfig, bindings);
    },
    drop: (name) => {
      const life = lives.get(name);
      if (life) end(name, life);
    },
    refusal: (name) => lives.get(name)?.refusal(),
    stopped: allEnded(),
  };

  async function allEnded(): Promise<void> {
    await whenAborted(signal);
    for (const [name, life] of lives) end(name, life);
    await Promise.all(ending.values());
  }
}

interface Life {
  want(kubeconfig: Kubeconfig | undefined): void;
  refusal(): string | undefined;
  end(): Promise<void>;
}

/** One link, from its first binding to its last. Never two at a time: it begins when `before` has ended. */
function startLife(
  name: string,
  bindings: BindingsOfLink,
  before: Promise<void> | undefined,
  tenants: SharedTenants,
  options: LinksOptions,
): Life {
  const { far, open, board, metrics, timings, clock, look, signal } = options;
  const log = withFields(options.log, { link: name });
  const own = scope(signal);
  let state: ConnectionState = initialState;
  let workSynced: ConditionState | undefined;
  let lastBeat: Beat | undefined;
  let refused: string | undefined;
  let connection: Connection | undefined;
  let wanted: { readonly kubeconfig: Kubeconfig | undefined } | undefined;
  const unsubscribe = bindings.subscribe(reportToAll);
  void own.run(live);

  return {
    want: (kubeconfig) => {
      wanted = { kubeconfig };
      connection?.want(kubeconfig);
    },
    refusal: () => refused,
    end: () => {
      own.end();
      return own.ended;
    },
  };

  async function live(): Promise<void> {
    await before;
    if (!own.isOver) {
      connection = runConnection({
        open,
        probe: far.probe,
        identityOf: far.identityOf,
        work: (session) => {
          lastBeat = undefined;
          workSynced = undefined;
          const member = { bindings, beat, synced };
          return tenants.serve(session.uid, member, session.signal, (all) =>
            far.work({ ...session, name, log, ...all }),
          );
        },
        changed,
        timings,
        clock,
        log,
        signal: own.signal,
      });
      if (wanted) connection.want(wanted.kubeconfig);
      await connection.stopped;
    }
    metrics.linkGone(name);
    unsubscribe();
  }

  function beat(outcome: Beat): void {
    lastBeat = outcome;
    reportToAll();
  }

  function synced(condition: ConditionState): void {
    workSynced = condition;
    reportToAll();
  }

  function changed(now: ConnectionState): void {
    if (now.health.state !== state.health.state) metrics.linkUp(name, now.health.state === 'up');
    state = now;
    const refusedNow = state.refused?.isCertain ? refusalOf(state.refused.problem) : undefined;
    if (refusedNow !== refused) {
      refused = refusedNow;
      look(name);
    }
    reportToAll();
  }

  function reportToAll(): void {
    if (own.isOver) return;
    const beating = heartbeating(far.isControlPlane ? state.health : { state: 'up' }, lastBeat);
    const isSynced = far.synced(state) ?? workSynced;
    for (const binding of bindings.list()) {
      const ref = refOfBinding(binding);
      if (beating) board.report(ref, beating);
      if (isSynced) board.report(ref, isSynced);
    }
  }
}

function refusalOf(problem: string): string {
  return `The kubeconfig in the Secret was tried and does not work, so the one before stays in use. ${problem}`;
}

/** A cluster over a client. Its informers come back quickly after an outage, and hold many objects in little memory. */
export function clusterOver(client: KubeClient, signal: AbortSignal): Cluster {
  const informers = createSharedInformers(client, signal, {
    trim: trimmed,
    packing: 'compressed',
    backoff: { capMs: 5_000 },
  });
  return { client, informers };
}

/** Resolves when all that is known of a cluster was read anew; a type that cannot be read any more holds nobody up for long. */
export async function relisted({ informers }: Cluster, clock: Clock, signal: AbortSignal): Promise<void> {
  await Promise.race([informers.relist(), pause(clock, longestRelistMs, signal)]);
}

const longestRelistMs = 30_000;
