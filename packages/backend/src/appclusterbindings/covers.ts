import { createHash } from 'node:crypto';

/**
 * Whether an object holds all that is wanted of it. Fields that only the object has are somebody else's, or defaults of
 * the server, and make no difference. In a list whose items have names the wanted ones must be there; any other list
 * must be the same.
 */
export function covers(actual: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true;
  if (Array.isArray(wanted)) return Array.isArray(actual) && coversList(actual, wanted);
  if (isRecord(wanted)) {
    return isRecord(actual) && Object.entries(wanted).every(([key, value]) => covers(actual[key], value));
  }
  return actual === wanted;
}

/** A short digest of a value; the order of keys makes no difference. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('base64url').slice(0, 27);
}

function coversList(actual: readonly unknown[], wanted: readonly unknown[]): boolean {
  if (wanted.length > 0 && wanted.every(hasName)) {
    return wanted.every((item) =>
      actual.some((other) => hasName(other) && other.name === item.name && covers(other, item)),
    );
  }
  return actual.length === wanted.length && wanted.every((item, index) => covers(actual[index], item));
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join(',')}}`;
}

function hasName(value: unknown): value is { readonly name: string } {
  return isRecord(value) && typeof value['name'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
