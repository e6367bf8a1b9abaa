import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';

/** The part of `fetch` that clients of an issuer use. */
export type IssuerFetch = (url: string, options: IssuerRequest) => Promise<Response>;

interface IssuerRequest {
  readonly method?: string;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** An answer of an issuer larger than this is given up. */
const maxAnswerBytes = 1 << 20;

/** Milliseconds until a request is given up. */
const timeLimitMs = 10_000;

/**
 * Talks to an issuer, trusting `ca` (PEM) besides the usual authorities; the `fetch` of Node cannot be given one. Redirects
 * are not followed, answers are limited in time and size.
 */
export function createIssuerFetch(ca?: string): IssuerFetch {
  // Requests are few, so connections are not kept: there is nothing to close, and none that has died unnoticed.
  const secure = new HttpsAgent({ ...(ca !== undefined && { ca: [...rootCertificates, ca] }) });
  const plain = new HttpAgent();
  return (url, options) => send(new URL(url), options);

  function send(url: URL, { method = 'GET', headers, body, signal }: IssuerRequest): Promise<Response> {
    const text = body === undefined || body === null ? undefined : String(body);
    const isSecure = url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const request = (isSecure ? httpsRequest : httpRequest)(url, {
        method,
        agent: isSecure ? secure : plain,
        headers: {
          ...Object.fromEntries(new Headers(headers)),
          ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
        },
        signal: AbortSignal.any([AbortSignal.timeout(timeLimitMs), ...(signal ? [signal] : [])]),
      });
      request.once('error', reject);
      request.once('response', (answer) => {
        readAnswer(answer).then(resolve, (error: unknown) => {
          request.destroy();
          reject(error instanceof Error ? error : new Error('the answer broke off'));
        });
      });
      request.end(text);
    });
  }
}

async function readAnswer(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > maxAnswerBytes) throw new Error(`the answer is larger than ${maxAnswerBytes} bytes`);
  }
  const status = answer.statusCode ?? 500;
  const hasNoBody = status === 204 || status === 304;
  return new Response(hasNoBody ? null : Buffer.concat(chunks), { status, headers: headersOf(answer) });
}

function headersOf(answer: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}
