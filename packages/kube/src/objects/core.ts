import type { KubeObject, ObjectMeta, ObjectRef } from './meta.ts';
import type { ResourceType } from './resource-type.ts';

export interface Secret extends KubeObject {
  readonly type?: string;
  /** Base64-encoded values. */
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}

export interface Namespace extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: string };
}

/** `coordination.k8s.io/v1` Lease; times are RFC 3339 with microseconds. */
export interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

/** `v1` Event, the form every kubectl shows under `describe`. */
export interface CoreEvent extends KubeObject {
  readonly involvedObject: ObjectRef & {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
  readonly reason: string;
  readonly message: string;
  readonly type: 'Normal' | 'Warning';
  readonly count?: number;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
}

/** An object of which only `metadata` was asked for. */
export interface PartialObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

export const Secrets: ResourceType<Secret> = {
  group: '',
  version: 'v1',
  plural: 'secrets',
  kind: 'Secret',
  namespaced: true,
};
export const ConfigMaps: ResourceType<ConfigMap> = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};
export const Namespaces: ResourceType<Namespace> = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
};
export const Events: ResourceType<CoreEvent> = {
  group: '',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
};
export const Leases: ResourceType<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
};
export const CustomResourceDefinitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
