const MAX_BYTES = 5 * 1024;

/** What a message expression says, if people can be told: on one line, and not too much. */
export function usableMessage(said: unknown): string | undefined {
  const text = typeof said === 'string' ? said.trim() : '';
  return text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= MAX_BYTES ? text : undefined;
}
