/**
 * What is wrong with a name that has to stand as one part of a path, in the words of Kubernetes. Nothing else binds the
 * names of roles and bindings.
 */
export function pathSegmentProblems(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}
