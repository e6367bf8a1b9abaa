import { group } from '@klutch/api';
import type { SentRequest } from './sent-requests.ts';

/** For whom and in which namespaces rights are documented. */
export interface Grant {
  readonly clusterNamespace: string;
  readonly serviceNamespaces: ReadonlySet<string>;
  /** `group/resource`, or the resource alone for the core group: exported and claimed types. */
  readonly types: readonly string[];
}

/**
 * Whether a request needs no more than the documented rights of an app cluster on a control plane in Namespaced scope.
 * Nothing else counts, not even what Kubernetes lets everybody do: a provider may have taken it away.
 */
export function isDocumented(request: Pick<SentRequest, 'method' | 'path'>, grant: Grant): boolean {
  const asked = parse(request);
  if (!asked) return false;
  const { verb, namespace, type } = asked;
  if (namespace === grant.clusterNamespace) return basicRights[type]?.includes(verb) ?? false;
  return grant.serviceNamespaces.has(namespace) && grant.types.includes(type) && instanceVerbs.includes(verb);
}

const reading = ['get', 'list', 'watch'];
const instanceVerbs = [...reading, 'update', 'patch', 'delete', 'create'];
const statusVerbs = ['get', 'patch', 'update'];

/** In the cluster namespace. */
const basicRights: Readonly<Record<string, readonly string[]>> = {
  [`${group}/apiserviceexportrequests`]: instanceVerbs,
  namespaces: ['get'],
  secrets: reading,
  [`${group}/clusterbindings`]: reading,
  [`${group}/clusterbindings/status`]: statusVerbs,
  [`${group}/apiserviceexports`]: reading,
  [`${group}/apiserviceexports/status`]: statusVerbs,
  [`${group}/apiservicenamespaces`]: instanceVerbs,
};

interface Asked {
  readonly verb: string;
  readonly namespace: string;
  /** With group and subresource. */
  readonly type: string;
}

/** What is asked for; undefined for what lies in no namespace. */
function parse({ method, path }: Pick<SentRequest, 'method' | 'path'>): Asked | undefined {
  const { pathname, searchParams } = new URL(path, 'https://server');
  const found =
    /^\/(?:api\/v1|apis\/([^/]+)\/[^/]+)\/namespaces\/([^/]+)(?:\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?)?$/.exec(
      pathname,
    );
  if (!found) return undefined;
  const [, apiGroup, namespace = '', resource = 'namespaces', name, subresource] = found;
  const isObject = name !== undefined || found[3] === undefined;
  const verb = method === 'GET' ? readVerb(isObject, searchParams) : verbs[method];
  const type = [apiGroup, resource, subresource].filter((part) => part !== undefined).join('/');
  return { verb: method === 'DELETE' && !isObject ? 'deletecollection' : verb, namespace, type };
}

function readVerb(isObject: boolean, query: URLSearchParams): string {
  if (query.get('watch') === 'true') return 'watch';
  return isObject ? 'get' : 'list';
}

const verbs = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;
