/**
 * Which labels and annotations of an original its copy gets, by patterns of keys with `*` as wildcard. Keys of Klutch,
 * Kubernetes, kubectl and Crossplane never travel, whatever the patterns say.
 */
export interface MetadataRules {
  /** Default `['*']`. */
  readonly labels: readonly string[];
  /** Default `['*']`. */
  readonly annotations: readonly string[];
}

export const defaultMetadataRules: MetadataRules = { labels: ['*'], annotations: ['*'] };
