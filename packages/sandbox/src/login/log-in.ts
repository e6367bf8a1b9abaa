import { createPlainBrowser, hasField, type Page, type PlainBrowser } from './plain-browser.ts';

export interface LogInOptions {
  /** The address that `klutch bind` prints. */
  readonly url: string;
  readonly user: { readonly name: string; readonly password: string };
  readonly signal?: AbortSignal;
}

/**
 * Does what a person does with the address that `klutch bind` prints: logs in at the embedded issuer, and confirms what
 * the command has chosen on the catalogue page. Resolves when the command has its answer.
 */
export async function logIn(options: LogInOptions): Promise<void> {
  const { browser, page } = await openLoggedIn(options);
  expectPage(await browser.submit(page, {}));
}

/** Opens an address, logs in at the embedded issuer, and yields the page that this leads to. */
export async function openLoggedIn({
  url,
  user,
  signal,
}: LogInOptions): Promise<{ readonly browser: PlainBrowser; readonly page: Page }> {
  const browser = createPlainBrowser({ signal });
  let page = expectPage(await browser.open(url));
  if (hasField(page, 'password')) {
    page = expectPage(await browser.submit(page, { name: user.name, password: user.password, answer: 'login' }));
  }
  if (hasField(page, 'password')) throw new Error('the issuer does not accept name and password');
  return { browser, page };
}

function expectPage(page: Page): Page {
  if (page.status < 400 || hasField(page, 'password')) return page;
  const text = page.text
    .replaceAll(/<(style|head)[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  throw new Error(`${new URL(page.url).origin} answers with ${page.status}:${text.slice(0, 300)}`);
}
