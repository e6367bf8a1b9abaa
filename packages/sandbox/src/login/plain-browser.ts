import { type Form, formsOf } from './form.ts';

/** A page somebody arrived at, or the answer that stands in its place. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  readonly forms: readonly Form[];
}

/** Opens pages and sends forms, as a browser without scripts and without a screen. */
export interface PlainBrowser {
  open(url: string): Promise<Page>;
  /** Fills in a form of a page and sends it, with what pressing a button adds, if that is among the fields. */
  submit(page: Page, fields: Readonly<Record<string, string | readonly string[]>>, form?: Form): Promise<Page>;
}

export interface PlainBrowserOptions {
  /** Redirects to addresses for which this says so are reported as the page arrived at, not followed. */
  readonly stopAt?: (url: URL) => boolean;
  readonly signal?: AbortSignal;
}

/** A browser that starts with no cookies. Like real ones it tells hosts apart, but not their ports. */
export function createPlainBrowser({ stopAt = () => false, signal }: PlainBrowserOptions = {}): PlainBrowser {
  const cookies = new Map<string, Map<string, string>>();

  const visit = async (address: string, body?: URLSearchParams, origin?: string): Promise<Page> => {
    let url = new URL(address);
    let sent = body;
    for (let hops = 0; hops < 20; hops++) {
      if (stopAt(url)) return { url: url.href, status: 0, text: '', forms: [] };
      const response = await fetch(url, {
        method: sent === undefined ? 'GET' : 'POST',
        body: sent,
        redirect: 'manual',
        signal,
        headers: { accept: 'text/html', cookie: cookiesFor(url), ...(sent && origin && { origin }) },
      });
      keep(url, response.headers.getSetCookie());
      const text = await response.text();
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) {
        return { url: url.href, status: response.status, text, forms: formsOf(text) };
      }
      url = new URL(location, url);
      // 307 and 308 send the form again, which no page of a login asks for.
      sent = undefined;
    }
    throw new Error(`${new URL(address).origin} redirects in circles`);
  };

  const cookiesFor = (url: URL) =>
    [...(cookies.get(url.hostname) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');

  const keep = (url: URL, lines: readonly string[]) => {
    const jar = cookies.get(url.hostname) ?? new Map<string, string>();
    cookies.set(url.hostname, jar);
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';');
      const at = pair.indexOf('=');
      const name = pair.slice(0, at).trim();
      if (attributes.some(isOver)) jar.delete(name);
      else jar.set(name, pair.slice(at + 1).trim());
    }
  };

  return {
    open: (url) => visit(url),
    submit: (page, fields, form = page.forms[0]) => {
      if (form === undefined) throw new Error(`the page at ${new URL(page.url).origin} has no form`);
      const filled = new URLSearchParams();
      for (const [name, value] of form.fields) if (!(name in fields)) filled.append(name, value);
      for (const [name, value] of Object.entries(fields)) {
        for (const one of typeof value === 'string' ? [value] : value) filled.append(name, one);
      }
      const target = new URL(form.action || page.url, page.url);
      if (form.method === 'post') return visit(target.href, filled, new URL(page.url).origin);
      target.search = filled.toString();
      return visit(target.href);
    },
  };
}

/** Whether a form of the page has a field or button of this name. */
export function hasField({ forms }: Page, name: string): boolean {
  return forms.some(({ names }) => names.includes(name));
}

function isOver(attribute: string): boolean {
  const [name = '', value = ''] = attribute.trim().split('=');
  if (name.toLowerCase() === 'max-age') return Number(value) <= 0;
  return name.toLowerCase() === 'expires' && Date.parse(value) <= Date.now();
}
