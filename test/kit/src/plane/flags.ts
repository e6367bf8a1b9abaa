import type { StartPlaneOptions } from './options.ts';

/** Names of the files in a plane's folder; every program runs with that folder as its working directory. */
export const FILES = {
  // Relative, because the system limits the length of a socket's path and temporary folders can be deep.
  etcdSocket: 'etcd.sock',
  etcdPeerSocket: 'etcd-peer.sock',
  etcdData: 'etcd',
  authorityCertificate: 'ca.crt',
  authorityKey: 'ca.key',
  servingCertificate: 'serving.crt',
  servingKey: 'serving.key',
  serviceAccountPublicKey: 'service-account.pub',
  serviceAccountKey: 'service-account.key',
  tokens: 'tokens.csv',
  auditPolicy: 'audit-policy.json',
  auditLog: 'audit.log',
  controllerManagerKubeconfig: 'controller-manager.json',
  access: 'access.json',
} as const;

/**
 * The controllers that make a bare API server behave like a cluster without nodes: deletion, garbage collection, service
 * accounts, aggregated roles, quotas. The rest would watch everything and do nothing.
 */
export const DEFAULT_CONTROLLERS = [
  'namespace-controller',
  'garbage-collector-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'root-ca-certificate-publisher-controller',
  'clusterrole-aggregation-controller',
  'resourcequota-controller',
] as const;

/** Flags of etcd: one member, no network, no fsync, for the objects of a test are worth nothing after a power cut. */
export function etcdFlags(): string[] {
  // A single member never calls its peers, but etcd insists on an address to advertise.
  const advertised = 'http://127.0.0.1:1';
  return [
    '--name=plane',
    `--data-dir=${FILES.etcdData}`,
    `--listen-client-urls=unix://${FILES.etcdSocket}`,
    `--advertise-client-urls=${advertised}`,
    `--listen-peer-urls=unix://${FILES.etcdPeerSocket}`,
    `--initial-advertise-peer-urls=${advertised}`,
    `--initial-cluster=plane=${advertised}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

/** Flags of kube-apiserver. The caller's own come last and win. */
export function apiServerFlags(port: number, options: StartPlaneOptions): string[] {
  return [
    `--etcd-servers=unix://${FILES.etcdSocket}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    // Publishing a loopback address as the endpoint of the kubernetes service is refused by validation.
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.0.0.0/24',
    `--tls-cert-file=${FILES.servingCertificate}`,
    `--tls-private-key-file=${FILES.servingKey}`,
    `--client-ca-file=${FILES.authorityCertificate}`,
    ...((options.tokenUsers ?? []).length > 0 ? [`--token-auth-file=${FILES.tokens}`] : []),
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${FILES.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${FILES.serviceAccountKey}`,
    '--allow-privileged=true',
    '--profiling=false',
    ...(options.audit ? [`--audit-policy-file=${FILES.auditPolicy}`, `--audit-log-path=${FILES.auditLog}`] : []),
    ...featureGateFlags(options.featureGates),
    ...(options.apiServerFlags ?? []),
  ];
}

/** Flags of kube-controller-manager: alone, without a port of its own, and not slowed down by its client limits. */
export function controllerManagerFlags(options: StartPlaneOptions): string[] {
  return [
    `--kubeconfig=${FILES.controllerManagerKubeconfig}`,
    '--leader-elect=false',
    '--secure-port=0',
    `--controllers=${(options.controllers ?? DEFAULT_CONTROLLERS).join(',')}`,
    `--service-account-private-key-file=${FILES.serviceAccountKey}`,
    `--root-ca-file=${FILES.authorityCertificate}`,
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
    '--profiling=false',
    ...featureGateFlags(options.featureGates),
    ...(options.controllerManagerFlags ?? []),
  ];
}

function featureGateFlags(gates: Readonly<Record<string, boolean>> = {}): string[] {
  const list = Object.entries(gates).map(([name, enabled]) => `${name}=${enabled}`);
  return list.length === 0 ? [] : [`--feature-gates=${list.join(',')}`];
}
