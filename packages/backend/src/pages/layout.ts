import { Html, html } from './html.ts';
import { stylesheet } from './stylesheet.ts';

// Escaping would change it, and with it its digest.
const style = new Html(`<style>${stylesheet}</style>`);

/** A whole page. */
export function page(about: { readonly title: string; readonly provider: string }, content: Html): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
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
