/** The parts of a konnector one by one, for whoever tests or replaces them. */
export type { BindingBoard, BindingRef } from './bindings/binding-board.ts';
export { runBoard } from './bindings/run-board.ts';
export type { AcceptedClaim } from './claims/accepted-claim.ts';
export { runClaims, type RunningClaims } from './claims/run-claims.ts';
export type { BoundApi } from './instances/bound-api.ts';
export { defaultMetadataRules, type MetadataRules } from './instances/metadata-rules.ts';
export { type Instances, runInstances } from './instances/run-instances.ts';
export { createLine, type Line, noLine } from './epoch/line.ts';
export type { Mark } from './epoch/mark.ts';
export type { Cluster, Link } from './link/link.ts';
export type { Mapping, NamespaceMap } from './namespaces/namespace-map.ts';
export { runNamespaces } from './namespaces/run-namespaces.ts';
export { type KonnectorMetrics, noMetrics } from './process/metrics.ts';
export { type BoundApis, runSchema } from './schema/run-schema.ts';
export { runUnbind } from './unbind/run-unbind.ts';
