/**
 * Checks that the embedded server does not pass yet, by id: work that is still to be done, not intended. A check that begins
 * to pass fails here until it is taken off the list.
 */
export const openGaps: ReadonlySet<string> = new Set<string>([
  'config maps: refuse a key of more than 253 characters',
  'other core kinds: events are the same in both groups',
  'other core kinds: events of the new group are complete',
  'other core kinds: deployments are plain data',
  'other core kinds: pods are plain data',
  'delete: of a pod with a node waits for its grace period, unless that is 0',
  'discovery of resources: lists the resources of /apis/events.k8s.io/v1',
  'discovery: names all groups with their versions',
  'discovery: does not know groups and versions that are not served',
  'watch: from a version whose history is gone ends with an error',
]);
