import {
  type APIServiceBinding,
  type ConditionState,
  ConditionType,
  type Enrolment,
  isKlutchError,
  kubeconfigKey,
  labels,
  readEnrolment,
} from '@klutch/api';
import {
  type Clock,
  type EventRecorder,
  type Informer,
  informerSource,
  type Logger,
  type ReconcileContext,
  type ReconcileResult,
  runController,
  type Secret,
  Secrets,
} from '@klutch/kube';
import type { BindingBoard } from '../bindings/binding-board.ts';
import { refOfBinding } from '../bindings/binding-ref.ts';
import { secretRefOf } from '../bindings/group-bindings.ts';
import { type Kubeconfig, kubeconfigOf } from '../bindings/kubeconfig-of.ts';
import { watchSecrets } from '../bindings/watch-secrets.ts';
import type { Cluster, Running } from '../link/link.ts';
import type { KonnectorMetrics } from '../process/metrics.ts';
import { enrolling, failureOf, secretInvalid } from './conditions.ts';
import { decide, type Purpose } from './decide.ts';
import { enrolmentKey } from './enrolment-key.ts';
import type { Exchange } from './exchange.ts';
import { storeKubeconfig } from './store-kubeconfig.ts';

export interface EnrolmentsOptions {
  readonly app: Cluster;
  /** Namespace of enrolment Secrets and of the kubeconfig Secrets they are for. */
  readonly namespace: string;
  /** Of the bindings. */
  readonly informer: Informer<APIServiceBinding>;
  readonly board: BindingBoard;
  /** UID of the app cluster; undefined when the konnector stops before it is known. */
  readonly identified: Promise<string | undefined>;
  readonly exchange: Exchange;
  /** Whether the control plane of a kubeconfig answers and does not accept it. */
  readonly isRejected: (kubeconfig: Kubeconfig, signal: AbortSignal) => Promise<boolean>;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: KonnectorMetrics;
  readonly signal: AbortSignal;
}

/** Gets credentials for bindings that came in a bundle, by exchanging its enrolment token. Keys are kubeconfig Secrets. */
export function runEnrolments(options: EnrolmentsOptions): Running {
  const { app, namespace, informer, board, events, clock, log, metrics, signal } = options;
  const share = app.informers.acquire({ type: Secrets, namespace, labelSelector: labels.enrolment });
  const enrolments = share.informer;
  const kubeconfigs = watchSecrets(app.informers, () => look());
  let look = () => {};
  /** Until when a token need not be exchanged again, by kubeconfig Secret: conditions follow what it yielded. */
  const rests = new Map<string, { readonly token: string; readonly until: number }>();
  const controller = runController({
    name: 'enrolment',
    sources: [
      informerSource(enrolments, (secret) => [kubeconfigSecretOf(secret)].filter((name) => name !== undefined)),
      informerSource(informer, (binding) => [secretNameOf(binding)].filter((name) => name !== undefined)),
      {
        start: async (enqueue) => {
          look = () => {
            for (const { enrolment } of all()) enqueue(enrolment.kubeconfigSecret);
          };
        },
      },
    ],
    backoff: { baseMs: 1_000, capMs: 60_000 },
    timeoutMs: 60_000,
    reconcile,
    signal,
    log,
    metrics: metrics.controller,
    clock,
  });

  async function reconcile(name: string, context: ReconcileContext): Promise<ReconcileResult | void> {
    kubeconfigs.keepOnly(new Set(all().map(({ enrolment }) => `${namespace}/${enrolment.kubeconfigSecret}`)));
    const bindings = [...informer.cache.values()].filter((binding) => secretNameOf(binding) === name);
    const found = newest(all().filter(({ enrolment }) => enrolment.kubeconfigSecret === name));
    if (!found) {
      rests.delete(name);
      return reportUnread(name, bindings);
    }
    const { enrolment, secret } = found;
    const ref = { namespace, name, key: kubeconfigKey };
    const watched = kubeconfigs.follow(ref);
    if (!watched.hasSynced) return { requeueAfter: unreadMs };
    const before = watched.cache.get(ref);
    const kubeconfig = kubeconfigOf(before, { ref, needsNamespace: true });
    const decision = decide({ bindings, kubeconfig });
    if (decision.type === 'rest') return withdraw(bindings);
    const rest = rests.get(name);
    const left = rest?.token === enrolment.token ? rest.until - clock.now() : 0;
    if (left > 0) return { requeueAfter: left };
    if (decision.onlyIfRejected && kubeconfig.kubeconfig) {
      const isRejected = await options.isRejected(kubeconfig.kubeconfig, context.signal);
      if (!isRejected) return { requeueAfter: lookAgainMs };
    }
    const need = { secret, enrolment, before, bindings, purpose: decision.purpose };
    const restMs = await exchange(need, context.signal);
    rests.set(name, { token: enrolment.token, until: clock.now() + restMs });
    return { requeueAfter: restMs };
  }

  /** Returns after how many milliseconds it may be tried again; throws when that should be soon. */
  async function exchange(need: Need, until: AbortSignal): Promise<number> {
    const { secret, enrolment, before, bindings, purpose } = need;
    const clusterUid = await options.identified;
    if (clusterUid === undefined) return lookAgainMs;
    if (purpose === 'credential') reportUnlessFailed(bindings, enrolling(enrolment));
    try {
      const key = await enrolmentKey(app.client, { namespace, id: enrolment.id }, until);
      const kubeconfig = await options.exchange(enrolment, { clusterUid, key }, until);
      if (purpose === 'exports') return lookAgainMs;
      metrics.wrote('app', 'enrolment', before ? 'patch' : 'create');
      const isStored = await storeKubeconfig(app.client, { namespace, enrolment, before }, kubeconfig, until);
      if (!isStored) return lookAgainMs;
    } catch (error) {
      if (signal.aborted) throw error;
      // A bundle that has ended is of no interest to whom it gave a credential.
      if (purpose === 'exports' && isKlutchError(error, 'KLUTCH_ENROLMENT_INVALID')) return refusedMs;
      const failure = failureOf(error, enrolment, purpose);
      report(secret, bindings, failure.state);
      if (!failure.isFinal) throw error;
      log.warn({ backend: enrolment.backendUrl, reason: failure.state.reason }, 'enrolment refused');
      return refusedMs;
    }
    withdraw(bindings);
    const message = `${enrolment.backendUrl} gave this app cluster its credential, in Secret ${namespace}/${enrolment.kubeconfigSecret}.`;
    events.event(secret, { type: 'Normal', reason: 'Enrolled', message });
    log.info({ backend: enrolment.backendUrl, secret: enrolment.kubeconfigSecret }, 'app cluster enrolled');
    return lookAgainMs;
  }

  /** Without an enrolment that can be read, bindings say why, or nothing. */
  function reportUnread(name: string, bindings: readonly APIServiceBinding[]): void {
    for (const secret of enrolments.cache.values()) {
      const reading = readEnrolment(secret);
      if (reading.enrolment || reading.kubeconfigSecret !== name) continue;
      return report(secret, bindings, secretInvalid(reading.problem));
    }
    withdraw(bindings);
  }

  function report(secret: Secret, bindings: readonly APIServiceBinding[], state: ConditionState): void {
    for (const binding of bindings) board.report(refOfBinding(binding), state);
    const { reason = '', message = '' } = state;
    events.event(secret, { type: 'Warning', reason, message });
  }

  /** That it is being tried again says less than why it failed. */
  function reportUnlessFailed(bindings: readonly APIServiceBinding[], state: ConditionState): void {
    for (const binding of bindings) {
      const hasFailed = binding.status?.conditions?.some(({ type }) => type === ConditionType.Enrolled);
      if (!hasFailed) board.report(refOfBinding(binding), state);
    }
  }

  function withdraw(bindings: readonly APIServiceBinding[]): void {
    for (const binding of bindings) board.withdraw(refOfBinding(binding), ConditionType.Enrolled);
  }

  function all(): readonly Found[] {
    return [...enrolments.cache.values()].flatMap((secret) => {
      const { enrolment } = readEnrolment(secret);
      return enrolment ? [{ secret, enrolment }] : [];
    });
  }

  function secretNameOf(binding: APIServiceBinding): string | undefined {
    const ref = secretRefOf(binding);
    return ref?.namespace === namespace ? ref.name : undefined;
  }

  return { ready: controller.ready, stopped: ended() };

  async function ended(): Promise<void> {
    try {
      await controller.stopped;
    } finally {
      kubeconfigs.keepOnly(new Set());
      share.release();
    }
  }
}

interface Found {
  readonly secret: Secret;
  readonly enrolment: Enrolment;
}

interface Need extends Found {
  readonly before: Secret | undefined;
  readonly bindings: readonly APIServiceBinding[];
  readonly purpose: Purpose;
}

/** Its watch tells when the Secret is there; that it cannot be watched, nobody tells. */
const unreadMs = 2_000;
const lookAgainMs = 10_000;
/** The operator may have changed something. */
const refusedMs = 300_000;

function kubeconfigSecretOf(secret: Secret): string | undefined {
  const reading = readEnrolment(secret);
  return reading.enrolment?.kubeconfigSecret ?? ('kubeconfigSecret' in reading ? reading.kubeconfigSecret : undefined);
}

function newest(found: readonly Found[]): Found | undefined {
  return [...found].sort((a, b) => b.enrolment.expiresAt.getTime() - a.enrolment.expiresAt.getTime())[0];
}
