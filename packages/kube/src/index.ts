export { createCredentialSource, type CredentialDeps, type Credentials, type CredentialSource } from './auth/index.ts';
export { type Backoff, backoffDelay } from './backoff/backoff.ts';
export { type Clock, pause, systemClock } from './clock/clock.ts';
export * from './controller/index.ts';
export { createDiscovery, type Discovery, type DiscoveryOptions } from './discovery/discovery.ts';
export type { ServedResource } from './discovery/served-resource.ts';
export { type KubeErrorCode, kubeErrorCodes } from './errors/codes.ts';
export { isKubeError, KubeError, type KubeErrorDetails, type Status } from './errors/kube-error.ts';
export type { Cache } from './informer/cache.ts';
export { type Change, compareVersions } from './informer/change.ts';
export { type Informer, type InformerOptions, startInformer, type Subscriber } from './informer/informer.ts';
export type { IndexFunction } from './informer/object-index.ts';
export type { Selection } from './informer/selection.ts';
export { informerSource } from './informer/source.ts';
export {
  createSharedInformers,
  type InformerShare,
  type SharedInformers,
  type SharedQuery,
} from './informer/shared.ts';
export * from './kubeconfig/index.ts';
export * from './log/index.ts';
export * from './objects/core.ts';
export * from './objects/meta.ts';
export * from './objects/resource-type.ts';
export * from './queue/index.ts';
export { connect, createClient } from './resources/client.ts';
export type * from './resources/types.ts';
export * from './scope/index.ts';
export * from './transport/index.ts';
export * from './events/index.ts';
export * from './health/index.ts';
export * from './lease/index.ts';
