import { flag } from '../list/list-options.ts';

/** What the path of a request says, before anything is looked up. */
export type RequestInfo =
  | { readonly isResource: false; readonly path: string; readonly verb: string }
  | ResourceRequestInfo;

export interface ResourceRequestInfo {
  readonly isResource: true;
  readonly path: string;
  /** get, list, watch, create, update, patch, delete or deletecollection. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Pure: reads `/api/v1/namespaces/a/secrets/b` and its like, as Kubernetes does. */
export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const segments = path.split('/').filter((segment) => segment !== '');
  const [root, ...rest] = segments;
  const other = { isResource: false as const, path, verb: method.toLowerCase() };
  if (root === 'api' && rest.length >= 2) return resourceInfo(method, path, query, '', rest);
  if (root === 'apis' && rest.length >= 3) return resourceInfo(method, path, query, rest[0] ?? '', rest.slice(1));
  return other;
}

function resourceInfo(
  method: string,
  path: string,
  query: URLSearchParams,
  group: string,
  [version = '', ...parts]: readonly string[],
): RequestInfo {
  const decoded = parts.map(decode);
  const scoped = decoded[0] === 'namespaces' && decoded.length > 2 && !namespaceSubresources.has(decoded[2] ?? '');
  const namespace = decoded[0] === 'namespaces' && decoded.length > 1 ? decoded[1] : undefined;
  const [resource = '', name, subresource] = scoped ? decoded.slice(2) : decoded;
  return {
    isResource: true,
    path,
    verb: verbOf(method, name, query),
    group,
    version,
    resource,
    name,
    subresource,
    namespace,
  };
}

const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

function verbOf(method: string, name: string | undefined, query: URLSearchParams): string {
  switch (method) {
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === undefined ? 'deletecollection' : 'delete';
    case 'GET':
    case 'HEAD': {
      if (name !== undefined) return 'get';
      return flag(query.get('watch')) ? 'watch' : 'list';
    }
    default:
      return method.toLowerCase();
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
