/** The kind of a JSON value, as Go calls it. */
export function jsonKind(content: unknown): string {
  if (Array.isArray(content)) return 'array';
  return typeof content === 'boolean' ? 'bool' : typeof content;
}
