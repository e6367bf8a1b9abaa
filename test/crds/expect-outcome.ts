import { expect } from 'vitest';
import { valueAt } from './changed.ts';
import type { Answer } from './play-row.ts';
import type { Expected } from './row.ts';

/** Fails unless the API server answered as a row expects. */
export function expectOutcome({ status, body }: Answer, expected: Expected): void {
  if (expected.outcome === 'refused') {
    expect({ status, message: body.message }).toMatchObject({ status: 422 });
    const causes = body.details?.causes ?? [];
    expect(causes).toContainEqual(
      expect.objectContaining({ field: expected.at, message: expect.stringContaining(expected.saying) }),
    );
    return;
  }
  expect({ status, message: body.message }).toEqual({ status: expect.toBeOneOf([200, 201]), message: undefined });
  if (expected.outcome === 'accepted') return;
  for (const [path, value] of Object.entries(expected.values)) expect(valueAt(body, path), path).toEqual(value);
}
