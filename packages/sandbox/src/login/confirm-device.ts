import { pause, systemClock } from '@klutch/kube';
import { type LogInOptions, openLoggedIn } from './log-in.ts';
import { hasField, type Page, type PlainBrowser } from './plain-browser.ts';

/**
 * Does what a person does with the address that `klutch bind --device-code` prints: logs in at the embedded issuer, sends the code
 * on, and connects the app cluster on the page that shows what is asked for. Yields the text of that page.
 */
export async function confirmDevice(options: LogInOptions): Promise<string> {
  const { browser, page } = await openLoggedIn(options);
  const decision = await untilPresented(browser, await browser.submit(page, {}), options.signal);
  await browser.submit(decision, { answer: 'connect' });
  return decision.text;
}

/** The page loads itself again until the command has said what it asks for. */
async function untilPresented(browser: PlainBrowser, first: Page, signal?: AbortSignal): Promise<Page> {
  let page = first;
  while (!hasField(page, 'answer')) {
    if (!page.text.includes('http-equiv="refresh"')) throw new Error(`there is nothing to decide: ${page.text}`);
    await pause(systemClock, 500, signal);
    signal?.throwIfAborted();
    page = await browser.open(page.url);
  }
  return page;
}
