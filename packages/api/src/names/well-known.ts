/** Key of a kubeconfig in any Secret of Klutch. */
export const kubeconfigKey = 'kubeconfig';

/** Field manager of server-side apply on the control plane. */
export const fieldManager = 'klutch.anynines.com';

/** Manager name under which the Go konnector owns the fields of objects it created; they have to be taken over. */
export const goKonnectorManager = 'konnector';

/** The lease every konnector holds while it works, so that two of whatever make are never active together. */
export const lease = {
  name: 'klutch-bind',
  /** Used when the environment does not say in which namespace the konnector runs. */
  fallbackNamespace: 'kube-system',
} as const;

/** Names in an app cluster. */
export const appCluster = {
  /** Namespace of bindings, kubeconfig Secrets and the konnector. */
  namespace: 'klutch-bind',
  /** That namespace before v1.3.0. */
  oldNamespace: 'kube-bind',
  /** Deployment, container, ServiceAccount and `app` label of the konnector. */
  konnector: 'konnector',
  /** ClusterRole and ClusterRoleBinding of the konnector. */
  konnectorRole: 'klutch-bind-konnector',
  /** `generateName` of kubeconfig Secrets; there is one for each server and cluster namespace. */
  kubeconfigSecretPrefix: 'kubeconfig-',
  /** Secrets with enrolment tokens; the id of the bundle follows. */
  enrolmentSecretPrefix: 'klutch-enrolment-',
  /** ValidatingAdmissionPolicies, and their bindings, that keep the konnector until everything has ended; an id follows. */
  guardPrefix: 'klutch-guard-',
} as const;

/** Names on a control plane. */
export const controlPlane = {
  /** Default prefix of cluster namespaces. */
  clusterNamespacePrefix: 'cluster',
  /** ServiceAccount of an app cluster, and Role and RoleBinding with its rights in a namespace. */
  binder: 'klutch-binder',
  /** Secret with the kubeconfig of an app cluster, unless its ClusterBinding names another. */
  kubeconfigSecret: 'kubeconfig',
  /** Context, cluster and user in that kubeconfig. */
  kubeconfigEntry: 'default',
  /** The one ClusterBinding of a cluster namespace. */
  clusterBinding: 'cluster',
  /** Role and RoleBinding of a konnector that runs on the control plane. */
  connectorRole: 'control-plane-connector',
  /** Role in a cluster namespace, bound to nobody: what the app cluster may do in its service namespaces. */
  serviceRole: 'klutch-binder-services',
  /** RoleBinding by which a backend has its rights in a namespace; also its lease, account and roles, unless told otherwise. */
  backend: 'klutch-backend',
} as const;

/** Where the Go konnector's images are published. The Go CLI leaves alone a Deployment with an image from elsewhere. */
export const goKonnectorImage = {
  repository: 'public.ecr.aws/w5n9a2g2/klutch/konnector',
  /** Compiled-in tag; it is older than control-plane mode, which it cannot run. */
  defaultTag: 'v1.4.0',
} as const;

/**
 * `NODE_OPTIONS` of konnectors in pods. Node lets garbage grow with the memory of the machine; a konnector lives on little, and
 * 256 MiB are enough for some 50,000 objects. One thread beside its own is enough for the garbage, and faster than several.
 */
export const konnectorNodeOptions = '--max-semi-space-size=2 --max-old-space-size=256 --v8-pool-size=1';
