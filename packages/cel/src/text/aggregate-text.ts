/** Several problems as one text, the way Kubernetes joins errors: each once, in brackets when there is more than one. */
export function aggregateText(problems: readonly string[]): string {
  const distinct = [...new Set(problems)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
