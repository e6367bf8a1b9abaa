/** `a`, `a or b`, `a, b or c`. */
export const oneOf = (names: readonly string[]) => listed(names, 'or');

/** `a`, `a and b`, `a, b and c`. */
export const allOf = (names: readonly string[]) => listed(names, 'and');

function listed(names: readonly string[], last: string): string {
  const front = names.slice(0, -1).join(', ');
  return [...(front === '' ? [] : [front, last]), names.at(-1) ?? 'nothing'].join(' ');
}
