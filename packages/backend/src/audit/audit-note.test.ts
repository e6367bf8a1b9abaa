import { describe, expect, it } from 'vitest';
import { auditNote } from './audit-note.ts';

describe('the Event for an audit entry', () => {
  it('says what was done, by whom and for which tenant', () => {
    const what = ['widgets.example.org', 'gadgets.example.org'];

    expect(
      auditNote({ action: 'Bind', who: 'https://issuer/alice', tenant: 'team-a', what, result: 'success' }),
    ).toEqual({
      type: 'Normal',
      reason: 'Bind',
      message: 'Bind of widgets.example.org, gadgets.example.org by https://issuer/alice for tenant team-a.',
    });
  });

  it('is a warning with the error code when it failed', () => {
    expect(auditNote({ action: 'Rotate', who: 'operator', result: 'KLUTCH_ACCESS_REVOKED' })).toEqual({
      type: 'Warning',
      reason: 'RotateFailed',
      message: 'Rotate by operator failed with KLUTCH_ACCESS_REVOKED.',
    });
  });
});
