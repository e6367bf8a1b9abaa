/** A CEL string. */
export function text(value: string): string {
  return JSON.stringify(value);
}

/** CEL for a label or annotation of an object; empty when there is none. */
export function entryOf(object: string, part: 'labels' | 'annotations', key: string): string {
  const entries = `${object}.metadata.${part}`;
  return `(has(${entries}) && ${text(key)} in ${entries} ? ${entries}[${text(key)}] : "")`;
}

/** CEL for a field of an object that may be missing. */
export function fieldOr(object: string, field: string, otherwise: '[]' | '{}'): string {
  return `(has(${object}.${field}) ? ${object}.${field} : ${otherwise})`;
}

/** CEL that is true when any of these is. */
export function any(...expressions: readonly string[]): string {
  return expressions.map((one) => `(${one})`).join(' || ');
}

/** CEL that is true when all of these are. */
export function all(...expressions: readonly string[]): string {
  return expressions.map((one) => `(${one})`).join(' && ');
}
