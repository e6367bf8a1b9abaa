import { describe, expect, it } from 'vitest';

import { conflictError } from './conflict-error.ts';
import { NO_FIELDS } from './field-set.ts';
import { type Owner, ownerId } from './owner.ts';
import type { Conflict } from './ownership.ts';

function conflict(path: string[], change: Partial<Owner> = {}): Conflict {
  const owner: Owner = {
    manager: 'one',
    operation: 'Apply',
    apiVersion: 'example.org/v1',
    subresource: '',
    time: '2030-01-01T00:00:00Z',
    fields: NO_FIELDS,
    ...change,
  };
  return { ownerId: ownerId(owner), owner, path };
}

describe('conflictError', () => {
  it('is a 409 that names the field and its owner', () => {
    expect(conflictError([conflict(['f:spec', 'f:size'])]).toStatus()).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 1 conflict: conflict with "one": .spec.size',
      reason: 'Conflict',
      details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.spec.size' }] },
      code: 409,
    });
  });

  it.each<[Partial<Owner>, string]>([
    [{}, '"one"'],
    [{ operation: 'Update' }, '"one" using example.org/v1'],
    [{ subresource: 'status' }, '"one" with subresource "status"'],
    [{ operation: 'Update', subresource: 'status' }, '"one" with subresource "status" using example.org/v1'],
    [{ manager: 'with "quotes"' }, '"with \\"quotes\\""'],
  ])('describes %j as %s', (change, description) => {
    const { message } = conflictError([conflict(['f:a'], change)]);
    expect(message).toBe(`Apply failed with 1 conflict: conflict with ${description}: .a`);
  });

  it('groups several by owner', () => {
    const updater = { manager: 'a', operation: 'Update' } as const;
    const error = conflictError([
      conflict(['f:spec', 'f:size'], { manager: 'b' }),
      conflict(['f:spec', 'f:text'], { manager: 'b' }),
      conflict(['f:spec', 'f:ports', 'k:{"port":80}', 'f:name'], updater),
    ]);
    expect(error.message).toBe(
      [
        'Apply failed with 3 conflicts: conflicts with "a" using example.org/v1:',
        '- .spec.ports[port=80].name',
        'conflicts with "b":',
        '- .spec.size',
        '- .spec.text',
      ].join('\n'),
    );
    expect(error.details?.causes?.map(({ field, message }) => [field, message])).toEqual([
      ['.spec.ports[port=80].name', 'conflict with "a" using example.org/v1'],
      ['.spec.size', 'conflict with "b"'],
      ['.spec.text', 'conflict with "b"'],
    ]);
  });
});
