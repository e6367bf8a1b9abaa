/** Where the programs of a plane are. */
export interface Binaries {
  readonly etcd: string;
  readonly kubeApiserver: string;
  /** Absent when `KUBEBUILDER_ASSETS` names a folder without it, as the plain envtest archives are. */
  readonly kubeControllerManager?: string;
}

/** File names of the programs, as Kubernetes' own envtest expects them. */
export const BINARY_NAMES = {
  etcd: 'etcd',
  kubeApiserver: 'kube-apiserver',
  kubeControllerManager: 'kube-controller-manager',
} as const;
