/** An object to send. Checks send wrong things on purpose, so hardly anything is required. */
export interface Sent {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** The kind that most checks of the machinery use, because it has no behaviour of its own. */
export function configMap(
  name: string,
  data?: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, unknown>> = {},
): Sent {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, ...(data ? { data } : {}) };
}

/** For checks of lists: unlike with ConfigMaps, the controllers put none of their own into a namespace. */
export function secret(name: string, labels?: Readonly<Record<string, string>>): Sent {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, ...(labels ? { labels } : {}) } };
}
