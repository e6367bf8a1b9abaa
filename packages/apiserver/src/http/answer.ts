import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { stringify } from 'yaml';
import { StatusError } from '../status/status-error.ts';
import { StorageError } from '../storage/index.ts';
import type { Wanted } from './negotiate.ts';

/** An answer that is ready to be sent. */
export interface Answer {
  readonly code: number;
  /** JSON unless the headers name another type; empty where there is nothing to say. */
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What Kubernetes says where there is not even an API group. */
export const pageNotFound: Answer = {
  code: 404,
  text: '404 page not found\n',
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
};

/** Headers of every answer. */
export function commonHeaders(request: IncomingMessage): Record<string, string> {
  const asked = request.headers['audit-id'];
  const id = typeof asked === 'string' && asked !== '' ? asked : randomUUID();
  return { 'audit-id': id, 'cache-control': 'no-cache, private' };
}

/** Sends JSON, or the same as YAML for clients that want that. Resolves when the answer is on its way. */
export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  format: Wanted['format'],
  warnings: readonly string[],
): Promise<void> {
  const request = response.req;
  const isYaml = format === 'yaml' && isJson(answer);
  const bytes = Buffer.from(isYaml ? yamlOf(answer.text) : isJson(answer) ? jsonOf(answer.text, request) : answer.text);
  const type = isYaml ? 'application/yaml' : 'application/json';
  const isZipped = bytes.length > minZippedBytes && wantsGzip(request);
  const body = isZipped ? await zip(bytes, { level: 1 }) : bytes;
  if (response.destroyed) return;
  response.writeHead(answer.code, {
    // Caches of clients take over a type from an answer that says that nothing has changed.
    ...(answer.text === '' ? {} : { 'content-type': type }),
    'content-length': body.length,
    ...commonHeaders(request),
    ...(isZipped ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {}),
    ...warningHeaders(warnings),
    ...answer.headers,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** The path does not lead to any API. */
export class PageNotFound extends Error {}

/** The answer for whatever a request failed with; what is not meant for clients is not shown to them. */
export function errorAnswer(error: unknown, onUnexpected: (error: unknown) => void): Answer {
  if (error instanceof StatusError) {
    const retryAfter = error.details?.retryAfterSeconds;
    const headers = retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) };
    return { code: error.code, text: JSON.stringify(error.toStatus()), headers };
  }
  if (error instanceof PageNotFound) return pageNotFound;
  if (error instanceof StorageError) return errorAnswer(cannotStore(error), onUnexpected);
  onUnexpected(error);
  const status = new StatusError(500, 'InternalError', 'Internal error occurred: the request could not be carried out');
  return { code: 500, text: JSON.stringify(status.toStatus()) };
}

/** The store has told its owner, in more words, which name files of the server. */
function cannotStore({ cause }: StorageError): StatusError {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  const message = `the server cannot store changes at the moment${code}; nothing was changed, and reads go on`;
  return new StatusError(503, 'ServiceUnavailable', message, { retryAfterSeconds: 1 });
}

/** `299 - "text"` for each warning, as kubectl shows them. */
export function warningHeaders(warnings: readonly string[]): Record<string, string[]> {
  if (warnings.length === 0) return {};
  return { warning: [...new Set(warnings)].map((text) => `299 - ${bytesOf(JSON.stringify(text))}`) };
}

const zip = promisify(gzip);
/** Shorter answers are not worth the time. */
const minZippedBytes = 128 * 1024;

function wantsGzip({ method, headers }: IncomingMessage): boolean {
  const encodings = (headers['accept-encoding'] ?? '').split(',');
  return method === 'GET' && encodings.some((encoding) => encoding.split(';')[0]?.trim() === 'gzip');
}

function isJson({ text, headers }: Answer): boolean {
  return text !== '' && headers?.['content-type'] === undefined;
}

function yamlOf(json: string): string {
  return stringify(JSON.parse(json), {
    version: '1.1',
    sortMapEntries: true,
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
}

/** People who look with a browser or curl get lines that they can read, as does whoever asks for them. */
function jsonOf(text: string, { url = '', headers }: IncomingMessage): string {
  const asked = url.includes('pretty') ? new URLSearchParams(url.slice(url.indexOf('?'))).get('pretty') : null;
  const isPretty = asked
    ? ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(asked)
    : forPeople.test(headers['user-agent'] ?? '');
  return isPretty ? `${JSON.stringify(JSON.parse(text), undefined, 2)}\n` : `${text}\n`;
}

const forPeople = /^(?:curl|Wget|Mozilla\/5\.0)/;

/** Kubernetes writes headers in UTF-8, for which Node wants one character per byte. */
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');
