import { appCluster, APIServiceBindingReason, ConditionType, falseCondition } from '@klutch/api';
import { createEventRecorder } from '@klutch/kube';
import { defaultMetadataRules } from '../instances/metadata-rules.ts';
import type { Link } from '../link/link.ts';
import { probeNamespace } from '../link/probe.ts';
import { runLink } from '../link/run-link.ts';
import { clusterOver, type Far, type FarSession } from '../link/run-links.ts';
import { createUnitsAtWork } from '../link/units-at-work.ts';
import { noLine } from '../epoch/line.ts';
import { systemNamespace, whenIdentified } from './app-cluster-id.ts';
import { defaultHeartbeatMs } from './far-control-plane.ts';
import { markHistory, orphansMayGo } from './mark-history.ts';
import type { Near } from './near.ts';
import type { Mode } from './options.ts';

/** The link of a konnector on the control plane: its far end is the app cluster. */
export function farAppCluster(
  near: Near,
  { bindingRootNamespace }: Extract<Mode, { readonly kind: 'control-plane' }>,
): Far & { readonly stopped: Promise<void> } {
  const { local: controlPlane, options, board, parts, metrics, clock, signal } = near;
  const units = createUnitsAtWork();
  const identified = whenIdentified(controlPlane.client, clock, signal, bindingRootNamespace);

  async function work(session: FarSession): Promise<void> {
    const uid = await identified;
    if (uid === undefined || session.signal.aborted) return;
    const app = clusterOver(session.client, session.signal);
    const events = createEventRecorder({
      client: app.client,
      component: `klutch-${appCluster.konnector}`,
      instance: options.lease.identity,
      signal: session.signal,
      clock,
      log: session.log,
    });
    const tenant = { clusterNamespace: bindingRootNamespace, uid };
    const history = markHistory({ controlPlane, tenant, session, metrics, clock });
    const link: Link = {
      name: session.name,
      app,
      controlPlane,
      tenant,
      appClusterId: session.uid,
      // Nothing in the app cluster may be written by which a mark could be kept at a bearable price; see decision 25.
      appLine: noLine,
      controlPlaneLine: history.line,
      orphansMayGo: () => orphansMayGo(session.bindings.list()),
      onRecovered: session.onRecovered,
      events,
      clock,
      log: session.log,
      metrics: history.metrics,
    };
    const unbind = parts.runUnbind({
      bindings: controlPlane,
      bindingType: near.bindingType,
      bindingNamespace: near.bindingNamespace,
      board,
      app,
      clock,
      log: session.log,
      metrics,
      unitsEnded: units.ended,
      signal: session.signal,
    });
    await runLink({
      link,
      bindings: session.bindings,
      bindingsIn: 'control-plane',
      board,
      parts: units.known(parts),
      metadata: options.metadata ?? defaultMetadataRules,
      version: options.version,
      heartbeatMs: options.heartbeatMs ?? defaultHeartbeatMs,
      clusterBinding: history.status,
      judged: history.line.ready,
      beat: session.beat,
      synced: session.synced,
      signal: session.signal,
    });
    await Promise.allSettled([unbind.stopped, events.stopped, app.informers.stopped, history.line.stopped]);
  }

  return {
    isControlPlane: false,
    probe: (client, _kubeconfig, limits) => probeNamespace(client, systemNamespace, limits),
    identityOf: (_kubeconfig, uid) => uid,
    synced: ({ health }) =>
      health.state === 'down'
        ? falseCondition(
            ConditionType.InformersSynced,
            'Error',
            APIServiceBindingReason.AppClusterUnreachable,
            `${health.problem} The konnector keeps trying.`,
          )
        : undefined,
    work,
    stopped: identified.then(() => undefined),
  };
}
