import type { ServedResource } from '../registry/served-resource.ts';
import { badRequest, invalid, StatusError } from '../status/status-error.ts';
import { UnreadableObject } from '../status/unreadable-object.ts';

/** The 400 for a body that does not even tell what it is. Kubernetes shows how it begins. */
export function unrecognized({ kind }: ServedResource, problem: string, body: Buffer): StatusError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem} (${summaryOf(body)})`);
}

/** The refusal of a patch whose outcome is no object of the kind; other errors are returned as they are. */
export function refusedPatch(error: unknown, patched: unknown): unknown {
  if (!(error instanceof UnreadableObject)) return error;
  const message = `Invalid value: ${JSON.stringify(JSON.stringify(patched))}: ${error.problem}`;
  const {
    message: text,
    reason,
    code,
    details,
  } = invalid('', '', '', [{ reason: 'FieldValueInvalid', field: 'patch', message }]);
  return new StatusError(code, reason, text, { causes: details?.causes });
}

const summaryLength = 30;

function summaryOf(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const start = body.subarray(0, summaryLength);
  const shown = start[0] === '{'.charCodeAt(0) ? start.toString('utf8') : start.toString('hex');
  return body.length > summaryLength ? `${shown} ...` : shown;
}
