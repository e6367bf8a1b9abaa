const HTML = /[<>&\u2028\u2029]/g;

/** JSON as Go's `json.Marshal` writes it: keys sorted, characters that matter in HTML escaped. */
export function goJson(value: unknown): string {
  const text = JSON.stringify(sorted(value)) ?? 'null';
  return text.replace(HTML, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, sorted(inner)]);
  return Object.fromEntries(entries.sort(([a], [b]) => compareBytes(a, b)));
}

/** Compares as Go compares strings: by their UTF-8 bytes, which is by code point. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return weight(left) - weight(right);
  }
  return a.length - b.length;
}

/** Puts surrogates, which stand for high code points, above all other units. */
const weight = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
