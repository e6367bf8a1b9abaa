import { KubeError } from '../errors/kube-error.ts';
import { apiVersionOf, type ResourceType } from '../objects/resource-type.ts';

/** The part of a resource type that URLs need. */
export type Location = Pick<ResourceType, 'group' | 'version' | 'plural' | 'namespaced'>;

/** Path of a collection; without namespace for cluster-scoped types and for all namespaces. */
export function collectionPath(type: Location, namespace: string | undefined): string {
  checkType(type);
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${apiVersionOf(type)}`;
  if (!type.namespaced || namespace === undefined) return `${root}/${type.plural}`;
  return `${root}/namespaces/${segment(namespace, 'namespace', type)}/${type.plural}`;
}

/** Path of one object, or of a subresource of it. */
export function objectPath(
  type: Location,
  ref: { readonly name?: string; readonly namespace?: string },
  subresource?: string,
): string {
  if (type.namespaced && !ref.namespace) throw misuse(type, `the namespace of ${ref.name ?? 'an object'} is missing`);
  if (!ref.name) throw misuse(type, 'the name of the object is missing');
  const path = `${collectionPath(type, ref.namespace)}/${segment(ref.name, 'name', type)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** `?a=1&b=2` from the parameters that are set, or an empty string. */
export function query(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') search.set(key, String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

/** `plural`, `plural.group`, for people. */
export function resourceName(type: Location, subresource?: string): string {
  const name = type.group === '' ? type.plural : `${type.plural}.${type.group}`;
  return subresource === undefined ? name : `${name}/${subresource}`;
}

/** Types are often made from what another cluster says, so they are no more to be trusted than names. */
function checkType(type: Location): void {
  for (const part of ['group', 'version', 'plural'] as const) {
    if (type[part] === '' && part === 'group') continue;
    if (!/^[a-z\d][a-z\d.-]*$/i.test(type[part])) throw misuse(type, `«${type[part]}» cannot be a ${part}`);
  }
}

/** Names become path segments: a slash or dots would address something else than was meant. */
function segment(value: string, what: string, type: Location): string {
  if (value === '' || value === '.' || value === '..' || /[/%\p{Surrogate}]/u.test(value)) {
    throw misuse(type, `«${value}» cannot be a ${what}`);
  }
  return encodeURIComponent(value);
}

function misuse(type: Location, problem: string): KubeError {
  return new KubeError('KUBE_INVALID', `Cannot address ${resourceName(type)}: ${problem}.`, {
    object: resourceName(type),
  });
}
