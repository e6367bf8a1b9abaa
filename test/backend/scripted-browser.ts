import { request as httpRequest } from 'node:http';

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Where it sends the browser, if anywhere. */
  readonly location?: URL;
  /** Cookies it sets, as they came. */
  readonly setCookies: readonly string[];
  json<T = Record<string, unknown>>(): T;
}

export interface SendOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends one request. `target` is where it really goes, whatever host the URL names. */
export function send(url: URL, options: SendOptions = {}, target = Number(url.port)): Promise<Answer> {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port: target,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { host: url.host, ...headers },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { location } = response.headers;
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            ...(location !== undefined && { location: new URL(location, url) }),
            setCookies: response.headers['set-cookie'] ?? [],
            json: <T>() => JSON.parse(text) as T,
          });
        });
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}

/** A browser with a cookie jar for the backend; it follows redirects only when told to. */
export interface Browser {
  readonly cookies: ReadonlyMap<string, string>;
  get(url: string | URL, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Sends a form as the page of the backend would. */
  post(
    url: string | URL,
    fields: readonly (readonly [string, string])[],
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** Follows redirects from an answer until it leads nowhere, or to an address that begins with `until`. */
  follow(answer: Answer, until?: string): Promise<Answer>;
}

/** `ports` says where the hosts of the backends really listen. */
export function createBrowser(baseUrl: string, port: () => number): Browser {
  const jar = new Map<string, string>();
  const page = { accept: 'text/html,application/xhtml+xml' };
  const browser: Browser = {
    cookies: jar,
    get: (url, headers) => go(new URL(url, baseUrl), { headers: { ...page, ...headers } }),
    post: (url, fields, headers) =>
      go(new URL(url, baseUrl), {
        method: 'POST',
        headers: {
          ...page,
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'null',
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
      }),
    follow: async (answer, until = 'http://localhost') => {
      let last = answer;
      while (last.location !== undefined && !last.location.href.startsWith(until))
        last = await browser.get(last.location);
      return last;
    },
  };
  return browser;

  async function go(url: URL, options: SendOptions): Promise<Answer> {
    if (url.origin !== new URL(baseUrl).origin) return await send(url, options);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...options.headers, ...(cookie !== '' && { cookie }) };
    const answer = await send(url, { ...options, headers }, port());
    answer.setCookies.forEach(keep);
    return answer;
  }

  function keep(text: string): void {
    const [pair = ''] = text.split(';', 1);
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(name.length + 1);
    if (/Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(text) || value === '') jar.delete(name);
    else jar.set(name, value);
  }
}
