import { html } from './html.ts';
import { page } from './layout.ts';

/** A page that says one thing. */
export interface Message {
  readonly provider: string;
  readonly title: string;
  /** What happened, and what to do about it. */
  readonly text: string;
  /** For people who look it up or report it. */
  readonly code?: string;
}

export function messagePage({ provider, title, text, code }: Message): string {
  return page(
    { title, provider },
    html`<h1>${title}</h1>
<div class="card">
<p>${text}</p>
${code !== undefined && html`<p class="soft">Code <code>${code}</code></p>`}
</div>`,
  );
}
