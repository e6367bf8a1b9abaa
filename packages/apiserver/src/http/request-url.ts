import type { IncomingMessage } from 'node:http';
import { badRequest } from '../status/status-error.ts';

/** Where a request goes. A path is never taken for a host, however many slashes it starts with; proxies send whole URLs. */
export function requestUrl({ url = '/' }: Pick<IncomingMessage, 'url'>): URL {
  const text = url.startsWith('/') ? `https://server${url}` : url;
  if (!URL.canParse(text)) throw badRequest('the request is for something that is not a path');
  return new URL(text);
}
