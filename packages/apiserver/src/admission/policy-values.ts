import { type AskAccess, AuthorizerValue, type CelValue, jsonValue, ResourceCheck } from '@klutch/cel';
import { serviceAccountGroups, serviceAccountUsername } from '../authn/service-account-user.ts';
import type { Authorizer } from '../authz/index.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { AdmissionAttributes, GroupVersionKind } from './admission-attributes.ts';

/** The variable `request`; empty fields are not there. */
export function requestValue(
  attributes: AdmissionAttributes,
  matched: { readonly kind: GroupVersionKind; readonly resource: ServedResource },
): CelValue {
  const { kind, resource, subresource, name, namespace, operation, user, dryRun, options } = attributes;
  const { name: username, uid, groups, extra = {} } = user;
  return jsonValue({
    uid: '',
    kind: kindOf(matched.kind),
    resource: resourceOf(matched.resource),
    subResource: subresource || undefined,
    requestKind: kindOf(kind),
    requestResource: resourceOf(resource),
    requestSubResource: subresource || undefined,
    name: name || undefined,
    namespace: namespace || undefined,
    operation,
    userInfo: {
      username: username || undefined,
      uid: uid || undefined,
      groups: groups.length > 0 ? groups : undefined,
      extra: Object.keys(extra).length > 0 ? extra : undefined,
    },
    dryRun,
    options,
  });
}

const kindOf = ({ group, version, kind }: GroupVersionKind) => ({ group, version, kind });
const resourceOf = ({ group, version, resource }: ServedResource) => ({ group, version, resource });

/** The variable `namespaceObject`: what of a namespace expressions may see. */
export function namespaceValue(namespace: ApiObject | undefined): CelValue {
  if (!namespace) return null;
  const { metadata, spec = {}, status = {} } = namespace;
  const { ownerReferences: _, managedFields: _managed, ...shown } = metadata;
  return jsonValue({ metadata: shown, spec, status });
}

/** The variables `authorizer` and `authorizer.requestResource`. */
export function authorizerValues(
  { user, resource, subresource, namespace, name }: AdmissionAttributes,
  authorizer: Authorizer,
): readonly [CelValue, CelValue] {
  const ask: AskAccess = ({ account, verb, on }) => {
    const asked = account
      ? {
          name: serviceAccountUsername(account.namespace, account.name),
          groups: serviceAccountGroups(account.namespace),
        }
      : user;
    if ('path' in on) return authorizer.authorize({ user: asked, verb, path: on.path });
    return authorizer.authorize({ user: asked, verb, version: '*', ...on });
  };
  const requested = { group: resource.group, resource: resource.resource, subresource, namespace, name };
  return [new AuthorizerValue(ask), new ResourceCheck(ask, requested)];
}
