import type { ApiObject } from '../objects/api-object.ts';
import { viewObject } from '../operations/stored-view.ts';
import { keyOf, type ServedResource } from '../registry/served-resource.ts';
import { labelSelectorFrom } from '../select/index.ts';
import type { Entry, Store } from '../storage/types.ts';
import type { ParamRef } from './policy-objects.ts';

/** Parameters that cannot be used, and why. */
export class ParamsError extends Error {
  override readonly name = 'ParamsError';
}

/**
 * The parameters with which a policy is evaluated; one is undefined where a policy takes none. Throws a
 * {@link ParamsError}.
 *
 * @param kind what parameters are; undefined when the policy takes none
 * @param namespace of the request, empty for objects of the cluster
 */
export function collectParams(
  store: Store,
  kind: ServedResource | undefined,
  ref: ParamRef | undefined,
  namespace: string,
): readonly (ApiObject | undefined)[] {
  if (!kind || !ref) return [undefined];
  const home = kind.namespaced ? ref.namespace || namespace : undefined;
  if (home === '') {
    throw new ParamsError('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  }
  if (ref.namespace && !kind.namespaced) {
    throw new ParamsError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const found = entriesOf(store, kind, ref, home);
  if (found.length === 0 && ref.parameterNotFoundAction === 'Deny') {
    throw new ParamsError('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return found.map((entry) => viewObject(entry, kind));
}

function entriesOf(
  store: Store,
  { bucket }: ServedResource,
  { name, selector }: ParamRef,
  namespace: string | undefined,
): readonly Entry[] {
  if (name) {
    const entry = store.get(bucket, keyOf(namespace, name));
    return entry ? [entry] : [];
  }
  const wanted = labelSelectorFrom(selector);
  return store.scan(bucket, { namespace }).filter(({ labels = {} }) => wanted.matches(labels));
}
