import { Html, html } from './html.ts';
import { stylesheet } from './stylesheet.ts';

// Escaping would change it, and with it its digest.
const style = new Html(`<style>${stylesheet}</style>`);

export interface PageHead {
  readonly title: string;
  readonly provider: string;
  /** After how many seconds the browser loads the page again; never when absent. */
  readonly refreshSeconds?: number;
}

/** A whole page. */
export function page(about: PageHead, content: Html): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${about.refreshSeconds !== undefined && html`<meta http-equiv="refresh" content="${about.refreshSeconds}">`}
<title>${about.title} – ${about.provider}</title>
${style}
</head>
<body>
<header>${about.provider}</header>
<main>
${content}
</main>
</body>
</html>
`);
}
