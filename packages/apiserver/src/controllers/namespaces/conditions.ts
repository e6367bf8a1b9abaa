/** A condition of a namespace. */
export interface NamespaceCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime?: string;
  reason: string;
  message: string;
}

/** What was found in a namespace after an attempt to empty it. */
export interface Remains {
  /** How many objects are left, by resource type as `plural.group`. */
  readonly objects: ReadonlyMap<string, number>;
  /** How many objects a finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Why deletions failed. */
  readonly failures: readonly string[];
}

/**
 * Pure: the conditions of a namespace that is being deleted, in the words of Kubernetes; undefined when they are what
 * they should be. Others' conditions stay.
 */
export function terminationConditions(
  before: readonly NamespaceCondition[],
  remains: Remains,
  now: string,
): NamespaceCondition[] | undefined {
  const wanted = FINE.map((fine) => problemOf(fine.type, remains) ?? fine);
  const changed = wanted.filter((condition) => !before.some((known) => isSame(known, condition)));
  if (changed.length === 0) return undefined;
  const result = before.map((known) => {
    const next = changed.find(({ type }) => type === known.type);
    if (next === undefined) return known;
    return { ...next, lastTransitionTime: next.status === known.status ? known.lastTransitionTime : now };
  });
  const added = changed.filter(({ type }) => !before.some((known) => known.type === type));
  return [...result, ...added.map((condition) => ({ ...condition, lastTransitionTime: now }))];
}

function isSame(one: NamespaceCondition, other: NamespaceCondition): boolean {
  return (
    one.type === other.type &&
    one.status === other.status &&
    one.reason === other.reason &&
    one.message === other.message
  );
}

function problemOf(type: string, { objects, finalizers, failures }: Remains): NamespaceCondition | undefined {
  const problem = (reason: string, message: string): NamespaceCondition => ({ type, status: 'True', reason, message });
  if (type === 'NamespaceDeletionContentFailure' && failures.length > 0) {
    const text = `Failed to delete all resource types, ${failures.length} remaining: ${sortedList(failures)}`;
    return problem('ContentDeletionFailed', text);
  }
  if (type === 'NamespaceContentRemaining' && objects.size > 0) {
    const list = [...objects].map(([resource, count]) => `${resource} has ${count} resource instances`);
    return problem('SomeResourcesRemain', `Some resources are remaining: ${sortedList(list)}`);
  }
  if (type === 'NamespaceFinalizersRemaining' && finalizers.size > 0) {
    const list = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
    const text = `Some content in the namespace has finalizers remaining: ${sortedList(list)}`;
    return problem('SomeFinalizersRemain', text);
  }
  return undefined;
}

function sortedList(texts: readonly string[]): string {
  return [...texts].sort().join(', ');
}

/** Discovery and parsing of versions cannot fail here; Kubernetes reports on them, so readers expect it. */
const FINE: readonly NamespaceCondition[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    status: 'False',
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    status: 'False',
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  {
    type: 'NamespaceDeletionContentFailure',
    status: 'False',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  {
    type: 'NamespaceContentRemaining',
    status: 'False',
    reason: 'ContentRemoved',
    message: 'All content successfully removed',
  },
  {
    type: 'NamespaceFinalizersRemaining',
    status: 'False',
    reason: 'ContentHasNoFinalizers',
    message: 'All content-preserving finalizers finished',
  },
];
