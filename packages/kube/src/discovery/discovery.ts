import { KubeError } from '../errors/kube-error.ts';
import { apiVersionOf } from '../objects/resource-type.ts';
import type { KubeRequest, Transport } from '../transport/types.ts';
import { type AggregatedDiscovery, aggregatedAccept, fromAggregated } from './aggregated.ts';
import { type ApiResourceList, fromResourceList } from './per-group.ts';
import type { ServedResource } from './served-resource.ts';

/** Tells which resource types a cluster serves. */
export interface Discovery {
  /** Every served resource, groups and versions in the server's order of preference. */
  all(signal?: AbortSignal): Promise<readonly ServedResource[]>;
  /** The resource of a kind, for objects read from YAML. Throws `KUBE_NOT_FOUND` when the cluster does not serve it. */
  forKind(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ServedResource>;
  /** The preferred version of a resource such as `widgets` of group `example.org`. Throws `KUBE_NOT_FOUND`. */
  forResource(group: string, plural: string, signal?: AbortSignal): Promise<ServedResource>;
  /** The next question goes to the server. */
  invalidate(): void;
}

export interface DiscoveryOptions {
  /** Milliseconds for which an answer is reused. Default 10 minutes; a miss asks again at once, but not more than once a second. */
  readonly cacheMs?: number;
  readonly now?: () => number;
}

/** REST mapping with a cache: kinds appear and vanish with CRDs, so a miss is checked with the server before it is believed. */
export function createDiscovery(transport: Transport, options: DiscoveryOptions = {}): Discovery {
  const now = options.now ?? Date.now;
  const cacheMs = options.cacheMs ?? 600_000;
  let cached: { readonly at: number; readonly resources: Promise<readonly ServedResource[]> } | undefined;

  function fetch(): Promise<readonly ServedResource[]> {
    const resources = discover(transport);
    const entry = { at: now(), resources };
    cached = entry;
    resources.catch(() => {
      if (cached === entry) cached = undefined;
    });
    return resources;
  }

  function all(): Promise<readonly ServedResource[]> {
    return cached && now() - cached.at < cacheMs ? cached.resources : fetch();
  }

  async function find(matches: (resource: ServedResource) => boolean, what: string): Promise<ServedResource> {
    const hit = (await all()).find(matches);
    if (hit) return hit;
    const isFresh = cached !== undefined && now() - cached.at < 1000;
    const found = isFresh ? undefined : (await fetch()).find(matches);
    if (found) return found;
    const message = `${transport.server} does not serve ${what}. Check the spelling, and that its CustomResourceDefinition is installed.`;
    throw new KubeError('KUBE_NOT_FOUND', message, { object: what });
  }

  return {
    all: (signal) => unlessAborted(all(), signal),
    forKind: (apiVersion, kind, signal) =>
      unlessAborted(
        find((r) => r.kind === kind && apiVersionOf(r) === apiVersion, `kind ${kind} of ${apiVersion}`),
        signal,
      ),
    forResource: (group, plural, signal) => {
      const what = group === '' ? plural : `${plural}.${group}`;
      return unlessAborted(
        find((r) => r.group === group && r.plural === plural, what),
        signal,
      );
    },
    invalidate: () => {
      cached = undefined;
    },
  };
}

async function discover(transport: Transport): Promise<readonly ServedResource[]> {
  const [core, groups] = await Promise.all([discoverRoot(transport, '/api'), discoverRoot(transport, '/apis')]);
  return [...core, ...groups];
}

/** `APIVersions` or `APIGroupList`: what servers without aggregated discovery answer at the roots. */
interface LegacyRoot {
  readonly versions?: readonly string[];
  readonly groups?: readonly {
    readonly preferredVersion?: { readonly groupVersion: string };
    readonly versions?: readonly { readonly groupVersion: string }[];
  }[];
}

async function discoverRoot(transport: Transport, root: '/api' | '/apis'): Promise<readonly ServedResource[]> {
  const answer = await transport.json<AggregatedDiscovery & LegacyRoot>(request(root, aggregatedAccept));
  if (answer.kind === 'APIGroupDiscoveryList') return fromAggregated(answer);
  const lists = await Promise.all(
    legacyVersions(answer).map((version) =>
      transport.json<ApiResourceList>(request(`${root}/${version}`, 'application/json')),
    ),
  );
  return lists.flatMap(fromResourceList);
}

function legacyVersions(root: LegacyRoot): readonly string[] {
  const grouped = (root.groups ?? []).flatMap((group) => {
    const all = (group.versions ?? []).map(({ groupVersion }) => groupVersion);
    const preferred = group.preferredVersion?.groupVersion;
    return preferred === undefined ? all : [preferred, ...all.filter((version) => version !== preferred)];
  });
  return [...(root.versions ?? []), ...grouped];
}

function request(path: string, accept: string): KubeRequest {
  return {
    method: 'GET',
    path,
    mode: 'call',
    headers: { accept },
    about: { verb: 'get', resource: 'discovery', object: `discovery ${path}` },
  };
}

/** The fetch is shared between callers, so one of them giving up must not cancel it for the others. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new KubeError('KUBE_ABORTED', 'Cancelled: discovery.'));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
