import { html } from './html.ts';
import { page } from './layout.ts';

/** What the page shows on which somebody confirms an eviction. */
export interface EvictionPage {
  readonly provider: string;
  /** Who is logged in. */
  readonly user: string;
  readonly tenant: string;
  /** The namespace that stands for the app cluster. */
  readonly namespace: string;
  /** Host and port that the new credential is sent to. */
  readonly target: string;
  /** Against forged forms. */
  readonly token: string;
}

/** The page on which the end of all credentials of an app cluster is confirmed. */
export function evictionPage({ provider, user, tenant, namespace, target, token }: EvictionPage): string {
  const title = 'End all credentials of an app cluster';
  return page(
    { title, provider },
    html`<h1>${title}</h1>
<p class="lead">Every credential that was ever issued to this app cluster ends, whoever has it, and one new credential is issued. Data and bindings stay.</p>
<form method="post" action="bind">
<input type="hidden" name="token" value="${token}">
<section class="card" aria-labelledby="about"><h2 id="about">What happens</h2>
<dl class="facts">
<dt>Signed in as</dt><dd>${user}</dd>
<dt>Tenant</dt><dd>${tenant}</dd>
<dt>App cluster</dt><dd><code>${namespace}</code></dd>
<dt>New credential goes to</dt><dd>the command waiting on this machine at <code>${target}</code></dd>
</dl></section>
<p><button type="submit">End all credentials</button></p>
<p class="soft">If you did not start this from a command on this machine, close this page: nothing happens then.</p>
</form>`,
  );
}
