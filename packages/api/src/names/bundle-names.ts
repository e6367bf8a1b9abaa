import { appCluster } from './well-known.ts';

/** Names of what belongs to one bundle in an app cluster, and to no other: several may be applied to the same cluster. */
export interface BundleNames {
  /** Secret with the enrolment token. */
  readonly enrolmentSecret: string;
  /** Secret with the key that the konnector makes before it presents the token. */
  readonly enrolmentKeySecret: string;
  /** Secret that the konnector puts its credential into, and that the bindings name. */
  readonly kubeconfigSecret: string;
  /** ValidatingAdmissionPolicy and ValidatingAdmissionPolicyBinding. */
  readonly guard: string;
  /** ClusterRole and ClusterRoleBinding. */
  readonly role: string;
}

/** The names that follow from the id of a bundle. */
export function bundleNames(id: string): BundleNames {
  return {
    enrolmentSecret: `${appCluster.enrolmentSecretPrefix}${id}`,
    enrolmentKeySecret: `${appCluster.enrolmentSecretPrefix}key-${id}`,
    kubeconfigSecret: `${appCluster.kubeconfigSecretPrefix}${id}`,
    guard: `${appCluster.guardPrefix}${id}`,
    role: `${appCluster.konnectorRole}-${id}`,
  };
}
