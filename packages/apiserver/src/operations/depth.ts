/**
 * How deep objects may be nested. What is done with them is recursive, and exhausting the stack is not always an error that
 * can be caught: V8 ends the process when it happens while a regular expression is compiled.
 */
export const maxDepth = 300;

/** Whether a value is nested deeper than objects may be. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
  }
  return false;
}
