import { systemClock } from '../clock/clock.ts';
import { isKubeError, KubeError } from '../errors/kube-error.ts';
import { apiVersionOf } from '../objects/resource-type.ts';
import type { KubeRequest, Transport } from '../transport/types.ts';
import { unlessAborted } from '../scope/unless-aborted.ts';
import { type AggregatedDiscovery, aggregatedAccept, fromAggregated } from './aggregated.ts';
import { type ApiResourceList, fromResourceList } from './per-group.ts';
import type { Discovered, ServedResource } from './served-resource.ts';

/** Tells which resource types a cluster serves. */
export interface Discovery {
  /**
   * Every served resource, groups and versions in the server's order of preference. Groups that are served by a server
   * of their own which does not answer are left out.
   */
  all(signal?: AbortSignal): Promise<readonly ServedResource[]>;
  /**
   * The resource of a kind, for objects read from YAML. Throws `KUBE_NOT_FOUND` when the cluster does not serve it, and
   * `KUBE_SERVER_ERROR` when nobody can tell because the group's own server does not answer.
   */
  forKind(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ServedResource>;
  /** The preferred version of a resource such as `widgets` of group `example.org`. Throws like `forKind`. */
  forResource(group: string, plural: string, signal?: AbortSignal): Promise<ServedResource>;
  /** The next question goes to the server. */
  invalidate(): void;
}

export interface DiscoveryOptions {
  /** Milliseconds for which an answer is reused. Default 10 minutes; a miss asks again at once, but not more than once a second. */
  readonly cacheMs?: number;
  /** Milliseconds on a scale that never jumps. */
  readonly now?: () => number;
}

interface Answer {
  readonly at: number;
  readonly discovered: Promise<Discovered>;
}

interface Question {
  readonly what: string;
  readonly matches: (resource: ServedResource) => boolean;
  /** Whether an answer may be missing because this `group/version` was silent. */
  readonly concerns: (groupVersion: string) => boolean;
}

/** REST mapping with a cache: kinds appear and vanish with CRDs, so a miss is checked with the server before it is believed. */
export function createDiscovery(transport: Transport, options: DiscoveryOptions = {}): Discovery {
  const now = options.now ?? (() => systemClock.now());
  const cacheMs = options.cacheMs ?? 600_000;
  let cached: Answer | undefined;

  function fetch(): Answer {
    const answer = { at: now(), discovered: discover(transport) };
    cached = answer;
    answer.discovered.catch(() => {
      if (cached === answer) cached = undefined;
    });
    return answer;
  }

  const usable = (): Answer => (cached && now() - cached.at < cacheMs ? cached : fetch());

  /** Newer than `looked`, unless that is so fresh that asking again would be rude. */
  function again(looked: Answer): Answer {
    if (cached && cached !== looked) return cached;
    return now() - looked.at < 1000 ? looked : fetch();
  }

  async function find({ what, matches, concerns }: Question): Promise<ServedResource> {
    const looked = usable();
    const hit = (await looked.discovered).resources.find(matches);
    if (hit) return hit;
    const { resources, silent } = await again(looked).discovered;
    const found = resources.find(matches);
    if (found) return found;
    const mute = silent.find(concerns);
    if (mute === undefined) {
      const message = `${transport.server} does not serve ${what}. Check the spelling, and that its CustomResourceDefinition is installed.`;
      throw new KubeError('KUBE_NOT_FOUND', message, { object: what });
    }
    const message = `${transport.server} cannot tell whether it serves ${what}: the server behind ${mute} does not answer. Check its APIService.`;
    throw new KubeError('KUBE_SERVER_ERROR', message, { object: what });
  }

  return {
    all: async (signal) => (await patiently(usable().discovered, signal)).resources,
    forKind: (apiVersion, kind, signal) => {
      const question: Question = {
        what: `kind ${kind} of ${apiVersion}`,
        matches: (r) => r.kind === kind && apiVersionOf(r) === apiVersion,
        concerns: (groupVersion) => groupVersion === apiVersion,
      };
      return patiently(find(question), signal);
    },
    forResource: (group, plural, signal) => {
      const question: Question = {
        what: group === '' ? plural : `${plural}.${group}`,
        matches: (r) => r.group === group && r.plural === plural,
        concerns: (groupVersion) => groupVersion.startsWith(`${group}/`),
      };
      return patiently(find(question), signal);
    },
    invalidate: () => {
      cached = undefined;
    },
  };
}

async function discover(transport: Transport): Promise<Discovered> {
  const [core, groups] = await Promise.all([discoverRoot(transport, '/api'), discoverRoot(transport, '/apis')]);
  return merged([core, groups]);
}

/** `APIVersions` or `APIGroupList`: what servers without aggregated discovery answer at the roots. */
interface LegacyRoot {
  readonly versions?: readonly string[];
  readonly groups?: readonly {
    readonly preferredVersion?: { readonly groupVersion: string };
    readonly versions?: readonly { readonly groupVersion: string }[];
  }[];
}

async function discoverRoot(transport: Transport, root: '/api' | '/apis'): Promise<Discovered> {
  const answer = await transport.json<AggregatedDiscovery & LegacyRoot>(request(root, aggregatedAccept));
  if (answer.kind === 'APIGroupDiscoveryList') return fromAggregated(answer);
  return merged(await Promise.all(legacyVersions(answer).map((version) => discoverVersion(transport, root, version))));
}

/** Versions served by a server of their own fail on their own; that must not hide all others. */
async function discoverVersion(transport: Transport, root: string, version: string): Promise<Discovered> {
  try {
    const list = await transport.json<ApiResourceList>(request(`${root}/${version}`, 'application/json'));
    return { resources: fromResourceList(list), silent: [] };
  } catch (error) {
    if (isKubeError(error, 'KUBE_SERVER_ERROR')) return { resources: [], silent: [version] };
    // Removed since the list of versions was made.
    if (isKubeError(error, 'KUBE_NOT_FOUND')) return { resources: [], silent: [] };
    throw error;
  }
}

function merged(parts: readonly Discovered[]): Discovered {
  return { resources: parts.flatMap(({ resources }) => resources), silent: parts.flatMap(({ silent }) => silent) };
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
async function patiently<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  try {
    return await unlessAborted(promise, signal);
  } catch (error) {
    throw signal.aborted ? new KubeError('KUBE_ABORTED', 'Cancelled: discovery.', { cause: error }) : error;
  }
}
