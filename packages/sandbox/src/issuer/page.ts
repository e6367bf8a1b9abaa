import { createHash } from 'node:crypto';

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:26rem;margin:3rem auto;padding:0 1rem}
h1{font-size:1.4rem;line-height:1.2}
label{display:block;margin-top:1rem;font-weight:600}
input{width:100%;box-sizing:border-box;padding:.5rem;font:inherit;border:1px solid;border-radius:.25rem}
button{margin:1rem .5rem 0 0;padding:.5rem 1rem;font:inherit;border:1px solid #0b57d0;border-radius:.25rem;background:#0b57d0;color:#fff;cursor:pointer}
button.quiet{background:transparent;color:inherit;border-color:currentcolor}
:focus-visible{outline:3px solid #f9ab00;outline-offset:2px}
[role=alert]{border-left:.25rem solid #c5221f;padding-left:.75rem}
.code{font:700 1.5rem ui-monospace,monospace;letter-spacing:.1em}`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Headers of every page: no script at all, nothing from elsewhere, no copies in caches. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // Without `form-action`: browsers apply it to the redirects after a form, too, and these lead to the client.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
};

/** A page around a title, which is text, and a body, which is HTML. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

/** Text as it may stand in HTML and in attributes. */
export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
