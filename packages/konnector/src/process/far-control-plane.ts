import { appCluster } from '@klutch/api';
import { proxyFor } from '@klutch/api/contract';
import { createEventRecorder, type EventRecorder, refOf } from '@klutch/kube';
import { linkOf } from '../bindings/group-bindings.ts';
import type { Kubeconfig } from '../bindings/kubeconfig-of.ts';
import { createExchange } from '../enrolment/create-exchange.ts';
import { runEnrolments } from '../enrolment/run-enrolments.ts';
import { runGuards } from '../guard/run-guards.ts';
import { defaultMetadataRules } from '../instances/metadata-rules.ts';
import type { Link } from '../link/link.ts';
import { probeNamespace } from '../link/probe.ts';
import { notSynced, runLink } from '../link/run-link.ts';
import { clusterOver, type Far, type FarSession } from '../link/run-links.ts';
import { createUnitsAtWork } from '../link/units-at-work.ts';
import { markHistory, orphansMayGo } from './mark-history.ts';
import { whenIdentified } from './app-cluster-id.ts';
import type { Near } from './near.ts';

/** Links of a konnector in the app cluster: their far ends are control planes. */
export function farControlPlane(near: Near): Far & { readonly stopped: Promise<void> } {
  const { local: app, options, board, parts, metrics, clock, log, signal } = near;
  const units = createUnitsAtWork();
  const identified = whenIdentified(app.client, clock, signal);
  const events: EventRecorder = createEventRecorder({
    client: app.client,
    component: `klutch-${appCluster.konnector}`,
    instance: options.lease.identity,
    signal,
    clock,
    log,
  });
  const unbind = parts.runUnbind({
    bindings: app,
    bindingType: near.bindingType,
    bindingNamespace: near.bindingNamespace,
    board,
    app,
    clock,
    log,
    metrics,
    unitsEnded: units.ended,
    signal,
  });
  const { informer } = app.informers.acquire({ type: near.bindingType, namespace: near.bindingNamespace });
  const enrolments = runEnrolments({
    app,
    namespace: near.bindingNamespace ?? appCluster.namespace,
    informer,
    board,
    identified,
    exchange: createExchange({ version: options.version, proxyFor: (url) => proxyFor(url, process.env) }),
    isRejected: near.isRejected,
    events,
    clock,
    log,
    metrics,
    signal,
  });
  const guards = runGuards({
    app,
    informer,
    bindingNamespace: near.bindingNamespace,
    identified,
    clock,
    log,
    metrics,
    signal,
  });
  const heartbeatMs = options.heartbeatMs ?? defaultHeartbeatMs;

  async function work(session: FarSession): Promise<void> {
    const appClusterId = await identified;
    if (appClusterId === undefined || session.signal.aborted) return;
    const tenant = { clusterNamespace: namespaceOf(session.kubeconfig), uid: session.uid };
    const controlPlane = clusterOver(session.client, session.signal);
    const history = markHistory({ controlPlane, tenant, session, metrics, clock });
    const link: Link = {
      name: session.name,
      app,
      controlPlane,
      tenant,
      appClusterId,
      appLine: near.line,
      controlPlaneLine: history.line,
      orphansMayGo: () => orphansMayGo(session.bindings.list()),
      onRecovered: session.onRecovered,
      events,
      clock,
      log: session.log,
      metrics: history.metrics,
    };
    await runLink({
      link,
      bindings: session.bindings,
      bindingsIn: 'app',
      board,
      parts: units.known(parts),
      metadata: options.metadata ?? defaultMetadataRules,
      version: options.version,
      heartbeatMs,
      consumer: {
        cluster: app,
        secret: refOf(session.name),
        isUsed: () => session.bindings.list().some((binding) => linkOf(binding, { by: 'secret' }) === session.name),
      },
      clusterBinding: history.status,
      judged: history.line.ready,
      beat: session.beat,
      synced: session.synced,
      signal: session.signal,
    });
    await Promise.all([controlPlane.informers.stopped, history.line.stopped]);
  }

  return {
    isControlPlane: true,
    probe: (client, kubeconfig, limits) => probeNamespace(client, namespaceOf(kubeconfig), limits),
    identityOf: (kubeconfig, uid) => [kubeconfig.config.server, namespaceOf(kubeconfig), uid].join(' '),
    // What was read stays read during an outage; only what was never seen is worth a word.
    synced: ({ inUse, health }) =>
      inUse === undefined && health.state === 'down'
        ? notSynced('The state of the control plane could not be read; see Heartbeating.')
        : undefined,
    work,
    stopped: Promise.all([events.stopped, unbind.stopped, enrolments.stopped, guards, identified]).then(
      () => undefined,
    ),
  };
}

export const defaultHeartbeatMs = 5 * 60_000;

function namespaceOf({ config }: Kubeconfig): string {
  return config.namespace ?? '';
}
