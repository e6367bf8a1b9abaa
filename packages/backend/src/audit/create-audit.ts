import { ClusterBindings, controlPlane as names } from '@klutch/api';
import { type Clock, createEventRecorder, type KubeClient, type Logger, scope } from '@klutch/kube';
import type { Audit, AuditRecord } from './audit.ts';
import { auditNote } from './audit-note.ts';

export interface AuditDeps {
  /** Of the control plane. */
  readonly client: KubeClient;
  readonly log: Logger;
  readonly clock: Clock;
  /** The replica that reports, such as the name of its pod. */
  readonly instance: string;
  /** Ends the audit; Events that wait to be written get a few seconds more. */
  readonly signal: AbortSignal;
}

/** Entries whose ClusterBinding may be looked up at the same time; more get a log line but no Event. */
const maxLookups = 100;

const lookupMs = 5_000;

/** Starts an audit that writes to the log and to Events on the ClusterBindings of the control plane. */
export function createAudit(deps: AuditDeps): Audit & { readonly stopped: Promise<void> } {
  const { client, log, clock, instance, signal } = deps;
  const lookups = scope(signal);
  let lookingUp = 0;
  const drained = scope();
  const events = createEventRecorder({
    client,
    component: 'klutch-backend',
    instance,
    signal: drained.signal,
    clock,
    log,
    // An app cluster that binds and rotates often must not lose the record of it.
    spam: { burst: 100, refillMs: 10_000 },
  });

  return {
    record: (entry) => {
      const { action, who, tenant, clusterNamespace, what, result } = entry;
      log.info({ action, who, tenant, cluster: clusterNamespace, what, result }, 'audit');
      if (clusterNamespace !== undefined) enqueue(clusterNamespace, entry);
    },
    stopped: ended(),
  };

  function enqueue(namespace: string, entry: AuditRecord): void {
    if (lookups.isOver || lookingUp >= maxLookups) return drop(namespace, entry, 'too many entries at once');
    lookingUp += 1;
    void lookups.run(() =>
      writeEvent(namespace, entry)
        .catch((error: unknown) => drop(namespace, entry, error instanceof Error ? error.message : 'unknown'))
        .finally(() => (lookingUp -= 1)),
    );
  }

  /** kubectl describe finds Events by the UID of their object, so the ClusterBinding is read first. */
  async function writeEvent(namespace: string, entry: AuditRecord): Promise<void> {
    const ref = { namespace, name: names.clusterBinding };
    const binding = await client.resource(ClusterBindings).find(ref, { timeoutMs: lookupMs });
    if (binding !== undefined) events.event(binding, auditNote(entry));
  }

  function drop(namespace: string, { action }: AuditRecord, reason: string): void {
    log.warn({ cluster: namespace, action, reason }, 'audit event dropped');
  }

  async function ended(): Promise<void> {
    await lookups.ended;
    drained.end();
    await events.stopped;
  }
}
