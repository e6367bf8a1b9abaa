/** Fields whose values differ from run to run, and what stands for each once masked. */
const volatile: Readonly<Record<string, string>> = {
  uid: '<uid>',
  resourceVersion: '<version>',
  creationTimestamp: '<time>',
  deletionTimestamp: '<time>',
  lastTransitionTime: '<time>',
  time: '<time>',
};

/**
 * A copy in which values that differ from run to run are replaced by a word in angle brackets. `managedFields`, which most
 * checks do not ask about, are left out. Empty values stay visible, as they are not the same as a set one.
 */
export function masked(value: unknown): unknown {
  return withoutVolatile(value, false);
}

/** Like {@link masked}, with `managedFields`. */
export function maskedWithManagers(value: unknown): unknown {
  return withoutVolatile(value, true);
}

function withoutVolatile(value: unknown, managers: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutVolatile(item, managers));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => managers || key !== 'managedFields');
  return Object.fromEntries(
    entries.map(([key, field]) => {
      const stands = volatile[key];
      const isSet = typeof field === 'string' && field !== '' && field !== '0';
      return [key, stands !== undefined && isSet ? stands : withoutVolatile(field, managers)];
    }),
  );
}

/** Masked metadata of an object as the server stores it, with what the check is about. */
export function storedMeta(name: string, namespace?: string, more: object = {}): object {
  const place = namespace === undefined ? { name } : { name, namespace };
  return { ...place, uid: '<uid>', resourceVersion: '<version>', creationTimestamp: '<time>', ...more };
}
