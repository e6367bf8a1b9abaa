import type { Audit, AuditRecord } from '../audit/audit.ts';
import { failureOf } from './failure.ts';

/** Does something and records how it ended; on success with the details that `known` adds. */
export async function audited<T>(
  audit: Audit,
  entry: Omit<AuditRecord, 'result'>,
  action: () => Promise<T>,
  known: (result: T) => Partial<AuditRecord> = () => ({}),
): Promise<T> {
  try {
    const result = await action();
    audit.record({ ...entry, ...known(result), result: 'success' });
    return result;
  } catch (error) {
    audit.record({ ...entry, result: failureOf(error).code });
    throw error;
  }
}
