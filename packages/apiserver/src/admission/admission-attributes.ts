import type { User } from '../authn/user.ts';
import type { JsonObject, Metadata } from '../objects/api-object.ts';
import type { Call } from '../operations/call.ts';
import type { ServedResource } from '../registry/served-resource.ts';

/** The kind of an object. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** An object as far as admission control itself looks into it. */
export interface ReviewedObject {
  readonly metadata?: Pick<Metadata, 'name' | 'labels'>;
}

/** What a request is about to do with one object. */
export interface Change {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** What would be stored; absent for a deletion. */
  readonly object?: ReviewedObject;
  /** What is stored; absent for a creation. */
  readonly old?: ReviewedObject;
  /** What a subresource exchanges, where that is another kind than the one of its resource. */
  readonly kind?: GroupVersionKind;
}

/** A change and who wants it, in the terms of admission control. */
export interface AdmissionAttributes extends Change {
  readonly resource: ServedResource;
  readonly kind: GroupVersionKind;
  /** Empty where there is none. */
  readonly subresource: string;
  /** Empty for deletions of a whole collection. */
  readonly name: string;
  /** Empty for objects of the cluster; a Namespace is its own namespace. */
  readonly namespace: string;
  readonly user: User;
  readonly dryRun: boolean;
  readonly options: JsonObject;
}

const optionKinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

/** What admission control is told of a change. */
export function attributesOf(call: Call, change: Change): AdmissionAttributes {
  const { resource, subresource = '', user, dryRun, options = {} } = call;
  const { group, version, kind } = resource;
  const name = call.name ?? change.object?.metadata?.name ?? '';
  const isNamespace = group === '' && resource.resource === 'namespaces';
  return {
    ...change,
    resource,
    kind: change.kind ?? { group, version, kind },
    subresource,
    name,
    namespace: isNamespace ? name : (call.namespace ?? ''),
    user,
    dryRun,
    options: { kind: optionKinds[change.operation], apiVersion: 'meta.k8s.io/v1', ...options },
  };
}
