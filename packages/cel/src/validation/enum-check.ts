import { deepEqual } from '../schema/deep-equal.ts';
import { goJson } from '../text/go-json.ts';
import { isInt64 } from '../values/int64.ts';
import { notSupported } from './field-error.ts';
import type { Check } from './walk.ts';

/** Checks that a value is one of those listed. Null never is. */
export function enumCheck(allowed: readonly unknown[] | undefined): Check | undefined {
  if (!allowed || allowed.length === 0) return undefined;
  const names = allowed.map((value) => (typeof value === 'string' ? value : goJson(value)));
  const strings = new Set(allowed.filter((value) => typeof value === 'string'));
  return (value, walk) => {
    const isAllowed = typeof value === 'string' ? strings.has(value) : allowed.some((one) => isSame(value, one));
    if (isAllowed) return;
    walk.report(
      `${walk.path} in body should be one of [${names.join(' ')}]`,
      notSupported(walk.fieldPath, value, names),
    );
  };
}

/** Compares after converting the value to the type of the listed one, as Go does: 1.5 becomes 1, and 65 becomes "A". */
function isSame(value: unknown, listed: unknown): boolean {
  if (value === null || listed === null) return false;
  if (typeof value !== 'number') return deepEqual(value, listed);
  if (typeof listed === 'number') return (isInt64(listed) ? Math.trunc(value) : value) === listed;
  return typeof listed === 'string' && isInt64(value) && listed === character(value);
}

const character = (code: number) => (code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');
