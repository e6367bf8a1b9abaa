import { goQuote } from '@klutch/cel';

/** Names as Go prints a list of them: `["a" "b"]`. */
export function quotedList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`;
}
