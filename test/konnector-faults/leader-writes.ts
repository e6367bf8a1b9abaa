import { readFile } from 'node:fs/promises';
import type { Interceptor } from '@klutch/kube';

/** A write that a replica sent, and that a server answered. Times are milliseconds of one clock. */
export interface ReplicaWrite {
  readonly replica: string;
  readonly path: string;
  readonly method: string;
  readonly began: number;
  readonly ended: number;
  readonly succeeded: boolean;
}

/**
 * Writes of replicas that did not hold the lease. Whoever wrote the lease last holds it: a write that began after another
 * replica had got the lease, and before its own replica got it back, is one of a former leader or of one that never led.
 */
export function writesWithoutLease(writes: readonly ReplicaWrite[]): readonly ReplicaWrite[] {
  const taken = writes.filter(({ path, succeeded }) => isLease(path) && succeeded).sort((a, b) => a.ended - b.ended);
  return writes
    .filter(({ path }) => !isLease(path))
    .filter(({ replica, began }) => {
      const holder = taken.findLast(({ ended }) => ended < began);
      // The lease may have been granted a moment before its answer was noted.
      const isBeingTaken = taken.some((one) => one.replica === replica && one.began < began && one.ended >= began);
      return holder?.replica !== replica && !isBeingTaken;
    });
}

function isLease(path: string): boolean {
  return path.includes('/leases');
}

/** Tells of every write of a replica, as its client sees it. */
export function noteWrites(replica: string, tell: (write: ReplicaWrite) => void): Interceptor {
  return (next) => async (request) => {
    if (request.method === 'GET') return next(request);
    const began = Date.now();
    const { path, method } = request;
    const note = (succeeded: boolean) => tell({ replica, path, method, began, ended: Date.now(), succeeded });
    try {
      const response = await next(request);
      note(response.status < 300);
      return response;
    } catch (error) {
      note(false);
      throw error;
    }
  };
}

/** Writes only, and only when they are done. */
export const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived', 'ResponseStarted'],
  rules: [{ level: 'None', verbs: ['get', 'list', 'watch'] }, { level: 'Metadata' }],
};

/** The writes that an API server notes in its audit log, by the version that each replica carries in its user agent. */
export async function auditedWrites(log: string, replicas: ReadonlyMap<string, string>): Promise<ReplicaWrite[]> {
  const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes('klutch-konnector/'));
  return lines.flatMap((line) => {
    const event = JSON.parse(line) as AuditEvent;
    const version = /klutch-konnector\/(\S+)/.exec(event.userAgent ?? '')?.[1] ?? '';
    const replica = replicas.get(version);
    if (replica === undefined) return [];
    return {
      replica,
      path: event.requestURI,
      method: event.verb,
      began: Date.parse(event.requestReceivedTimestamp),
      ended: Date.parse(event.stageTimestamp),
      succeeded: (event.responseStatus?.code ?? 500) < 300,
    };
  });
}

interface AuditEvent {
  readonly userAgent?: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly responseStatus?: { readonly code?: number };
}
