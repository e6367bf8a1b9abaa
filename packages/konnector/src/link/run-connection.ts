import {
  type Clock,
  createClient,
  type KubeClient,
  type Logger,
  pause,
  type Scope,
  scope,
  type Transport,
} from '@klutch/kube';
import type { Kubeconfig } from '../bindings/kubeconfig-of.ts';
import { createSignals, type Signals } from './signals.ts';
import {
  type ConnectionAnswer,
  type ConnectionEvent,
  type ConnectionState,
  initialState,
  next,
} from './connection-state.ts';
import { createExchangeableTransport, type ExchangeableTransport } from './exchangeable-transport.ts';
import type { ProbeAnswer } from './probe.ts';

/** What runs on a connection is given this. */
export interface Session {
  /** Its credentials may change while it is used; the cluster and the tenant may not. */
  readonly client: KubeClient;
  readonly kubeconfig: Kubeconfig;
  /** UID that the probe found. */
  readonly uid: string;
  /** Aborts when everything on this connection has to end. */
  readonly signal: AbortSignal;
  /** Tells when the cluster answers again after it did not, or accepts new credentials; call the result to end it. */
  onRecovered(recovered: () => void): () => void;
}

export interface ProbeTimings {
  /** Milliseconds between two checks of a connection that works. Default 5 s. */
  readonly everyMs?: number;
  /** Milliseconds between two checks of one that does not. Default 1 s. */
  readonly retryMs?: number;
  /** Milliseconds a cluster may take to answer. Default 3 s. */
  readonly timeoutMs?: number;
}

export interface ConnectionOptions {
  /** Opens a transport; the connection closes it. */
  readonly open: (kubeconfig: Kubeconfig) => Transport;
  /** Asks the cluster who it is. Must not reject. */
  readonly probe: (client: KubeClient, kubeconfig: Kubeconfig, limits: ProbeLimits) => Promise<ProbeAnswer>;
  /** Names the place and the tenant: only for the same may credentials be exchanged under running work. */
  readonly identityOf: (kubeconfig: Kubeconfig, uid: string) => string;
  /** Does the work of a connection until its signal aborts. Must not reject. */
  readonly work: (session: Session) => Promise<void>;
  /** Told whenever the state has changed. */
  readonly changed: (state: ConnectionState) => void;
  readonly timings?: ProbeTimings;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface ProbeLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Connection {
  /** What the Secret holds now; undefined when that cannot be used. */
  want(kubeconfig: Kubeconfig | undefined): void;
  state(): ConnectionState;
  /** Resolves when the connection, and what ran on it, has ended. */
  readonly stopped: Promise<void>;
}

/** Keeps a connection to the cluster of a kubeconfig that may change, and work running on it, until the signal aborts. */
export function runConnection(options: ConnectionOptions): Connection {
  const { open, probe, identityOf, work, changed, clock, log, signal } = options;
  const { everyMs = 5_000, retryMs = 1_000, timeoutMs = 3_000 } = options.timings ?? {};
  let state = initialState;
  let wanted: Kubeconfig | undefined;
  let running: RunningWork | undefined;
  let isWoken = false;
  let interrupt = () => {};
  return {
    want: (kubeconfig) => {
      if (kubeconfig?.fingerprint === wanted?.fingerprint && state !== initialState) return;
      wanted = kubeconfig;
      take({ type: 'wanted', fingerprint: kubeconfig?.fingerprint });
      wake();
    },
    state: () => state,
    stopped: run(),
  };

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await tryWanted();
      if (signal.aborted) break;
      await check();
      if (signal.aborted) break;
      await rest(isAway() ? retryMs : everyMs);
    }
    take({ type: 'stop' });
    await endWork();
  }

  /** A cluster that is away is asked more often than one that works, or that does not want us. */
  function isAway(): boolean {
    if (state.failures > 0 && state.health.state === 'up') return true;
    return state.health.state === 'down' && state.health.cause === 'unreachable';
  }

  /** Tries the kubeconfig of the Secret, unless it is the one in use. */
  async function tryWanted(): Promise<void> {
    const kubeconfig = wanted;
    if (!kubeconfig || kubeconfig.fingerprint === state.inUse?.fingerprint) return;
    const trial = open(kubeconfig);
    const answer = await probe(createClient(trial), kubeconfig, { timeoutMs, signal });
    // Cancelled, or no longer wanted: its answer means nothing.
    const isVoid = signal.aborted || kubeconfig !== wanted;
    const { fingerprint } = kubeconfig;
    const action = isVoid ? 'nothing' : take({ type: 'tried', fingerprint, answer: identified(answer, kubeconfig) });
    if (action === 'start' && answer.is === 'ok') return begin(kubeconfig, answer.uid, trial);
    if (action === 'exchange' && running) {
      log.info({}, 'credentials exchanged');
      running.kubeconfig = kubeconfig;
      await running.transport.exchange(trial);
      running.recovered.tell();
      return;
    }
    await trial.close();
    if (action === 'end') await endAll();
  }

  async function check(): Promise<void> {
    if (!running || !state.inUse) return;
    const { client, kubeconfig } = running;
    const answer = await probe(client, kubeconfig, { timeoutMs, signal });
    if (signal.aborted) return;
    const action = take({ type: 'checked', answer: identified(answer, kubeconfig) });
    if (action === 'recovered') running.recovered.tell();
    if (action === 'end') await endAll();
  }

  function begin(kubeconfig: Kubeconfig, uid: string, first: Transport): void {
    const transport = createExchangeableTransport(first);
    const client = createClient(transport);
    const life = scope();
    const recovered = createSignals();
    const ended = work({ client, kubeconfig, uid, signal: life.signal, onRecovered: recovered.subscribe });
    const own: RunningWork = { transport, client, kubeconfig, life, recovered, ended };
    running = own;
    // Work that ends although nobody asked it to begins anew, after the usual rest.
    void ended.then(() => {
      if (running !== own || life.isOver) return undefined;
      running = undefined;
      take({ type: 'ended' });
      return transport.close();
    });
  }

  /** Ends what runs, because it must begin anew with another cluster or tenant. */
  async function endAll(): Promise<void> {
    log.info({}, 'connection ends, another cluster or tenant answers');
    await endWork();
    take({ type: 'ended' });
    wake();
  }

  async function endWork(): Promise<void> {
    const own = running;
    running = undefined;
    if (!own) return;
    own.life.end(signal.aborted ? signal.reason : undefined);
    await own.ended;
    await own.transport.close();
  }

  function identified(answer: ProbeAnswer, kubeconfig: Kubeconfig): ConnectionAnswer {
    return answer.is === 'ok' ? { is: 'ok', identity: identityOf(kubeconfig, answer.uid) } : answer;
  }

  function take(event: ConnectionEvent) {
    const before = state;
    const { state: after, action } = next(state, event);
    state = after;
    if (before.phase !== after.phase) log.info({ phase: after.phase, before: before.phase }, 'connection changed');
    if (JSON.stringify(before) !== JSON.stringify(after)) changed(after);
    return action;
  }

  function wake(): void {
    isWoken = true;
    interrupt();
  }

  async function rest(ms: number): Promise<void> {
    const nap = scope(signal);
    interrupt = nap.end;
    if (isWoken) nap.end();
    await pause(clock, ms, nap.signal);
    isWoken = false;
    nap.end();
  }
}

interface RunningWork {
  readonly transport: ExchangeableTransport;
  readonly client: KubeClient;
  kubeconfig: Kubeconfig;
  readonly life: Scope;
  readonly recovered: Signals;
  readonly ended: Promise<void>;
}
