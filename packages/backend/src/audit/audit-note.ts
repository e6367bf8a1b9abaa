import type { EventNote } from '@klutch/kube';
import type { AuditRecord } from './audit.ts';

/** The Event for an entry of the audit record. Failures are warnings. */
export function auditNote({ action, who, tenant, what = [], result }: AuditRecord): EventNote {
  const isSuccess = result === 'success';
  const subject = what.length > 0 ? ` of ${what.join(', ')}` : '';
  const owner = tenant === undefined ? '' : ` for tenant ${tenant}`;
  const outcome = isSuccess ? '' : ` failed with ${result}`;
  return {
    type: isSuccess ? 'Normal' : 'Warning',
    reason: isSuccess ? action : `${action}Failed`,
    message: `${action}${subject} by ${who}${owner}${outcome}.`,
  };
}
