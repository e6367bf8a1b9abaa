import type { APIServiceBinding, ConditionState } from '@klutch/api';
import { type Scope, scope, unlessAborted } from '@klutch/kube';
import type { BindingsOfLink } from '../bindings/bindings-of-link.ts';
import type { Beat } from '../heartbeat/heartbeating.ts';
import { createSignals, type Signals } from './signals.ts';

/** Bindings that want a tenant to be served, and how they are told of it. */
export interface TenantMember {
  readonly bindings: BindingsOfLink;
  readonly beat: (beat: Beat) => void;
  /** Told what bindings have to say under `InformersSynced`. */
  readonly synced: (state: ConditionState) => void;
}

/** Sees to it that a tenant is served once, however many Secrets lead to it. */
export interface SharedTenants {
  /**
   * Does the work for the tenant, on behalf of everyone who asks meanwhile; or, while somebody else does it, joins them
   * and waits. Resolves when that work has ended or the signal aborts: who still wants it served asks again.
   */
  serve(
    tenant: string,
    member: TenantMember,
    signal: AbortSignal,
    work: (all: TenantMember) => Promise<void>,
  ): Promise<void>;
}

export function createSharedTenants(): SharedTenants {
  const served = new Map<string, Service>();
  return {
    serve: async (tenant, member, signal, work) => {
      const service = served.get(tenant);
      if (service) return join(service, member, signal);
      const own: Service = { members: new Set([member]), changes: createSignals(), life: scope() };
      served.set(tenant, own);
      try {
        await work(everyone(own));
      } finally {
        served.delete(tenant);
        own.life.end();
      }
    },
  };
}

interface Service {
  readonly members: Set<TenantMember>;
  /** Members came or went. */
  readonly changes: Signals;
  readonly life: Scope;
  lastBeat?: Beat;
  lastSynced?: ConditionState;
}

async function join(service: Service, member: TenantMember, signal: AbortSignal): Promise<void> {
  service.members.add(member);
  service.changes.tell();
  if (service.lastBeat) member.beat(service.lastBeat);
  if (service.lastSynced) member.synced(service.lastSynced);
  await unlessAborted(service.life.ended, signal).catch(() => {});
  service.members.delete(member);
  service.changes.tell();
}

/** All members as one. */
function everyone(service: Service): TenantMember {
  const { members, changes } = service;
  return {
    bindings: {
      list: () => [...members].flatMap(({ bindings }): readonly APIServiceBinding[] => bindings.list()),
      subscribe: (changed) => subscribeToAll(service, changed),
    },
    beat: (beat) => {
      service.lastBeat = beat;
      for (const member of members) member.beat(beat);
    },
    synced: (state) => {
      service.lastSynced = state;
      for (const member of members) member.synced(state);
    },
  };

  function subscribeToAll({ members: current }: Service, changed: () => void): () => void {
    const subscriptions = new Map<TenantMember, () => void>();
    const follow = () => {
      for (const [member, end] of subscriptions) {
        if (current.has(member)) continue;
        end();
        subscriptions.delete(member);
      }
      for (const member of current) {
        if (!subscriptions.has(member)) subscriptions.set(member, member.bindings.subscribe(changed));
      }
    };
    follow();
    const unsubscribe = changes.subscribe(() => {
      follow();
      changed();
    });
    return () => {
      unsubscribe();
      for (const end of subscriptions.values()) end();
    };
  }
}
