/** Headers of a request: names in lower case, all values of each, as Node's `headersDistinct` has them. */
export type RequestHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/** The first value of a header as text, empty when there is none. */
export function firstValue(headers: RequestHeaders, name: string): string {
  return utf8(headers[name]?.[0] ?? '');
}

/** All values of a header as text. */
export function allValues(headers: RequestHeaders, name: string): string[] {
  return (headers[name] ?? []).map(utf8);
}

const BEYOND_ASCII = /[\u0080-\u00ff]/;

/** Node reads header bytes as Latin-1; clients of Kubernetes send UTF-8. */
function utf8(value: string): string {
  return BEYOND_ASCII.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}
