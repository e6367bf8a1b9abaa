import { KubeError } from '../errors/kube-error.ts';
import type { Lease } from '../objects/core.ts';
import { type ObjectRef, keyOf } from '../objects/meta.ts';
import { type Clock, pause } from '../clock/clock.ts';
import type { CallOptions, KubeClient } from '../resources/types.ts';

/** What happens to one request on its way. */
export interface Fate {
  /** Milliseconds until it reaches the server. */
  readonly thereMs?: number;
  /** Milliseconds until the answer is back. */
  readonly backMs?: number;
  /** `request`: it never arrives; `answer`: it takes effect, but nobody hears of it; `both`: neither, and no error either. */
  readonly lost?: 'request' | 'answer' | 'both';
}

/** A server that keeps leases in memory with optimistic locking, on the test's clock. */
export interface LeaseServer {
  readonly leases: Map<string, Lease>;
  /** Every request that took effect, in order: `verb holder`. */
  readonly log: string[];
  /** A client whose requests meet the fate given for them. */
  client(fate?: (verb: string) => Fate | undefined): KubeClient;
}

/** An empty server. */
export function createLeaseServer(clock: Clock): LeaseServer {
  const leases = new Map<string, Lease>();
  const log: string[] = [];
  let version = 0;

  const store = (verb: string, lease: Lease): Lease => {
    version += 1;
    const metadata = { uid: `uid-${version}`, ...lease.metadata, resourceVersion: String(version) };
    const stored = { ...lease, metadata };
    leases.set(keyOf(metadata as ObjectRef), stored);
    log.push(`${verb} ${lease.spec?.holderIdentity ?? ''}`);
    return structuredClone(stored);
  };
  const find = (ref: ObjectRef) => structuredClone(leases.get(keyOf(ref)));
  const create = (lease: Lease): Lease => {
    if (leases.has(keyOf(lease.metadata as ObjectRef))) throw new KubeError('KUBE_ALREADY_EXISTS', 'it exists');
    return store('create', lease);
  };
  const replace = (lease: Lease): Lease => {
    const known = leases.get(keyOf(lease.metadata as ObjectRef));
    if (known === undefined) throw new KubeError('KUBE_NOT_FOUND', 'no such lease');
    if (lease.metadata.resourceVersion !== known.metadata.resourceVersion) {
      throw new KubeError('KUBE_CONFLICT', 'the lease has been modified');
    }
    return store('replace', lease);
  };

  return {
    leases,
    log,
    client: (fateOf = () => undefined) => {
      const travel = async <T>(verb: string, act: () => T, { signal }: CallOptions = {}): Promise<T> => {
        const { thereMs = 0, backMs = 0, lost } = fateOf(verb) ?? {};
        if (thereMs > 0) await pause(clock, thereMs);
        if (lost === 'both') return hang(signal);
        if (lost === 'request') throw new KubeError('KUBE_UNREACHABLE', 'connection refused');
        const answer = act();
        if (backMs > 0) await pause(clock, backMs);
        if (lost === 'answer') throw new KubeError('KUBE_UNREACHABLE', 'connection reset');
        return answer;
      };
      const resource = {
        find: (ref: ObjectRef, options?: CallOptions) => travel('get', () => find(ref), options),
        create: (lease: Lease, options?: CallOptions) => travel('create', () => create(lease), options),
        replace: (lease: Lease, options?: CallOptions) => travel('replace', () => replace(lease), options),
      };
      return { resource: () => resource } as unknown as KubeClient;
    },
  };
}

function hang(signal?: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
