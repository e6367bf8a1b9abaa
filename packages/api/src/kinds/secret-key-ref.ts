import { enumeration, type InferFields, required, string } from '../schema/schema.ts';

/** Names a kubeconfig in a Secret of the same namespace. */
export const localSecretKeyRefFields = {
  name: required(string('Name of the Secret.', { minLength: 1 })),
  key: required(enumeration('Key in the Secret.', ['kubeconfig'])),
};

/** Names a kubeconfig in a Secret of any namespace. */
export const clusterSecretKeyRefFields = {
  ...localSecretKeyRefFields,
  namespace: required(string('Namespace of the Secret.', { minLength: 1 })),
};

export type LocalSecretKeyRef = InferFields<typeof localSecretKeyRefFields>;
export type ClusterSecretKeyRef = InferFields<typeof clusterSecretKeyRefFields>;
