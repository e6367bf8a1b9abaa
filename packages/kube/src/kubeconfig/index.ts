export type { Auth, ClusterConfig, ExecPlugin, HeaderAuth, Impersonation, PemSource } from './cluster-config.ts';
export { inClusterConfig } from './in-cluster.ts';
export { type LoadOptions, loadKubeconfig } from './load.ts';
export { type ParseOptions, parseKubeconfig } from './parse.ts';
export { type KubeconfigContent, renderKubeconfig } from './render.ts';
export type { Trust } from './trust.ts';
