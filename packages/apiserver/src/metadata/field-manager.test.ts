import { describe, expect, it } from 'vitest';
import { managedFieldsCauses, managerCauses } from './field-manager.ts';

describe('the name of a field manager', () => {
  it.each(['', 'kubectl-client-side-apply', 'Grüße, 世界!', 'x'.repeat(128)])('may be %j', (manager) => {
    expect(managerCauses(manager, 'fieldManager')).toEqual([]);
  });

  it('is measured in bytes', () => {
    expect(managerCauses('ü'.repeat(65), 'fieldManager')).toEqual([
      { reason: 'FieldValueTooLong', field: 'fieldManager', message: 'Too long: may not be more than 128 bytes' },
    ]);
  });

  it('has characters that can be printed', () => {
    expect(managerCauses('m\u0007', 'fieldManager').map(({ message }) => message)).toEqual([
      'Invalid value: "m\\a": invalid character U+0007 (at position 1)',
    ]);
  });
});

describe('managed fields from a client', () => {
  it('say in which entry something is wrong', () => {
    const causes = managedFieldsCauses([
      { manager: 'fine', operation: 'Update' },
      { manager: 'x'.repeat(129), subresource: 's'.repeat(257) },
    ]);

    expect(causes.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'metadata.managedFields[1].manager: Too long: may not be more than 128 bytes',
      'metadata.managedFields[1].subresource: Too long: may not be more than 256 bytes',
    ]);
  });

  it('need not name anybody', () => {
    expect(managedFieldsCauses([{}])).toEqual([]);
  });
});
