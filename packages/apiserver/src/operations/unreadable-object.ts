import { type ServedResource } from '../registry/served-resource.ts';
import { badRequest, invalid, StatusError } from '../status/status-error.ts';

interface ObjectType {
  readonly version: string;
  readonly kind: string;
}

/** The 400 for a body that is no object of its type although it says which one it is. */
export class UnreadableObject extends StatusError {
  /** In the words of Go, without the kind. */
  readonly problem: string;

  /** @param said what the body says it is */
  constructor(resource: ServedResource, problem: string, said: ObjectType = resource) {
    super(
      400,
      'BadRequest',
      `${said.kind} in version "${said.version}" cannot be handled as a ${resource.kind}: ${problem}`,
    );
    this.problem = problem;
  }
}

/** The 400 for a body that does not even tell what it is. Kubernetes shows how it begins. */
export function unrecognized({ kind }: ServedResource, problem: string, body: Buffer): StatusError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem} (${summaryOf(body)})`);
}

/** The refusal of a patch whose outcome is no object of the kind; other errors are returned as they are. */
export function refusedPatch(error: unknown, patched: unknown): unknown {
  if (!(error instanceof StatusError) || !('problem' in error)) return error;
  const message = `Invalid value: ${JSON.stringify(JSON.stringify(patched))}: ${String(error.problem)}`;
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
