export { guardRules } from './guard/guard-rules.ts';
export { type MetadataRules } from './instances/metadata-rules.ts';
export { type ProbeTimings } from './link/run-connection.ts';
export { ensureBindingCrd, type EnsureOptions } from './process/ensure-binding-crd.ts';
export { type KonnectorMetrics } from './process/metrics.ts';
export { type KonnectorOptions, type Mode } from './process/options.ts';
export { optionsFrom } from './process/options-from.ts';
export { type Konnector, type KonnectorDeps, startKonnector } from './process/start-konnector.ts';
export { appClusterRules, type AppClusterRules } from './roles/app-cluster-rules.ts';
