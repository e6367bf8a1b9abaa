import { createHash } from 'node:crypto';

/**
 * A text that is the same for values that mean the same to an API server: keys in order, and no keys without a value,
 * which merge patches cannot write anyway.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join(',')}]`;
  if (!isRecord(value)) return value === undefined ? 'null' : JSON.stringify(value);
  const parts: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const field = value[key];
    if (field !== undefined && field !== null) parts.push(`${JSON.stringify(key)}:${canonical(field)}`);
  }
  return `{${parts.join(',')}}`;
}

/** A short digest of a value, equal for equal {@link canonical} texts. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('base64url').slice(0, 27);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
