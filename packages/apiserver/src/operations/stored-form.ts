import type { ApiObject } from '../objects/api-object.ts';
import type { ServedResource } from '../registry/served-resource.ts';

/**
 * An object as it is stored: in the storage version, which may know fewer fields, and for custom resources in the order
 * of keys, as Kubernetes writes what it has no struct for. The given object may be changed.
 */
export function storedForm(object: ApiObject, resource: ServedResource): ApiObject {
  const converted = resource.conversion?.toStored(object) ?? object;
  const stored = { ...converted, apiVersion: resource.storageApiVersion };
  resource.storageSchema?.prune(stored);
  return resource.builtIn ? stored : (inKeyOrder(stored) as ApiObject);
}

/** The same value with sorted keys; parts that are sorted already are not copied. */
function inKeyOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(inKeyOrder);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const fields = value as Record<string, unknown>;
  const keys = Object.keys(fields);
  const sorted = [...keys].sort();
  const contents = sorted.map((key) => inKeyOrder(fields[key]));
  const isSame = sorted.every((key, index) => key === keys[index] && contents[index] === fields[key]);
  return isSame ? value : Object.fromEntries(sorted.map((key, index) => [key, contents[index]]));
}
