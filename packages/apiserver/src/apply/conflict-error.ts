import { compareBytes, goQuote } from '@klutch/cel';
import { StatusError } from '../status/status-error.ts';
import type { Owner } from './owner.ts';
import type { Conflict } from './ownership.ts';
import { describePath } from './path-element.ts';

/** The answer to someone whose configuration conflicts with what others own. */
export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const sorted = [...conflicts].sort((left, right) => compareBytes(left.ownerId, right.ownerId));
  const causes = sorted.map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${describeOwner(owner)}`,
    field: describePath(path),
  }));
  return new StatusError(409, 'Conflict', conflictMessage(sorted), { causes });
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${describeOwner(first.owner)}: ${describePath(first.path)}`;
  }
  const lines = conflicts.flatMap(({ ownerId, owner, path }, index) => {
    const isFirstOfOwner = conflicts[index - 1]?.ownerId !== ownerId;
    const line = `- ${describePath(path)}`;
    return isFirstOfOwner ? [`conflicts with ${describeOwner(owner)}:`, line] : [line];
  });
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function describeOwner({ manager, operation, apiVersion, subresource }: Owner): string {
  const name = subresource === '' ? goQuote(manager) : `${goQuote(manager)} with subresource ${goQuote(subresource)}`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
