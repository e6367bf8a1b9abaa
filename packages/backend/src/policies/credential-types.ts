/** Types of Secrets that make Kubernetes issue or accept a token. */
export const credentialTypes = ['kubernetes.io/service-account-token', 'bootstrap.kubernetes.io/token'] as const;
