/** Makes packages of this workspace resolve to their source, as `--conditions klutch-source` does for a process from its start. */
export function resolve(specifier, context, nextResolve) {
  return nextResolve(specifier, { ...context, conditions: [...context.conditions, 'klutch-source'] });
}
