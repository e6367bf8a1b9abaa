/** A page that the browser shows at the end of a login. */
export interface Page {
  readonly status: number;
  readonly html: string;
}

/** After success. It holds nothing of the answer. */
export const donePage: Page = page(200, 'You are logged in', 'Return to your terminal; this window can be closed.');

/** For a call after the first. */
export const alreadyPage: Page = page(200, 'You are logged in already', 'This window can be closed.');

/** For a call that is not the answer. */
export function refusedPage(why: string): Page {
  const text = `${why} The command in your terminal is still waiting: open the address it shows, or run it again.`;
  return page(400, 'The login failed', text);
}

/** When the provider refuses the login. */
export function failedPage(why: string): Page {
  return page(400, 'The login failed', `${why} The command in your terminal has ended with the same message.`);
}

function page(status: number, title: string, text: string): Page {
  const style = 'font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem';
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(title)}</title></head><body style="${style}"><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p></main></body></html>\n`;
  return { status, html };
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
