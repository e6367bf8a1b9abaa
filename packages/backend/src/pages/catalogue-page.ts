import { type Html, html } from './html.ts';
import { page } from './layout.ts';
import { offerItem, type OfferOnPage } from './offer-item.ts';
import { tenantChoice } from './tenant-choice.ts';

/** What the catalogue page shows. */
export interface CataloguePage {
  readonly provider: string;
  /** Who is logged in. */
  readonly user: string;
  /** Names; the user chooses if there are several. */
  readonly tenants: readonly string[];
  readonly offers: readonly OfferOnPage[];
  /** Absent when somebody only looks: then nothing can be chosen. */
  readonly form?: BindForm;
  /** How to begin a login that binds; shown to those who only look. */
  readonly exportUrl: string;
  /** What was wrong with the form before. */
  readonly problem?: string;
}

export interface BindForm {
  readonly token: string;
  readonly clusterId: string;
  /** Host and port that the credential is sent to. */
  readonly target: string;
  /** Names of APIs that are ticked. */
  readonly chosen: readonly string[];
  readonly tenant?: string;
  /** When an enrolment token that is issued now ends; absent when the login is for a credential. */
  readonly bundleUntil?: Date;
}

/** The page on which people see what they can bind and choose; plain HTML, without scripts. */
export function cataloguePage(shown: CataloguePage): string {
  const { form, offers, provider } = shown;
  const title = form ? 'Choose the APIs to bind' : 'APIs that can be bound';
  const list = html`<ul>${offers.map((offer) => offerItem(offer, form))}</ul>`;
  return page(
    { title, provider },
    html`<h1>${title}</h1>
${shown.problem !== undefined && html`<div class="card alert" role="alert">${shown.problem}</div>`}
${form ? bindForm(shown, form, list) : browsing(shown, list)}`,
  );
}

function bindForm(shown: CataloguePage, form: BindForm, list: Html): Html {
  const isEmpty = shown.offers.length === 0;
  return html`<p class="lead">Your app cluster is connected to ${shown.provider}, and the chosen APIs become available in it.</p>
<form method="post" action="bind">
<input type="hidden" name="token" value="${form.token}">
<section class="card" aria-labelledby="about"><h2 id="about">What happens</h2>
<dl class="facts">
<dt>Signed in as</dt><dd>${shown.user}</dd>
${shown.tenants.length === 1 && html`<dt>Tenant</dt><dd>${shown.tenants[0]}</dd>`}
<dt>App cluster</dt><dd><code>${form.clusterId}</code></dd>
<dt>${form.bundleUntil ? 'Enrolment token' : 'Credential'} goes to</dt><dd>the command waiting on this machine at <code>${form.target}</code></dd>
${
  form.bundleUntil !== undefined &&
  html`<dt>Until ${form.bundleUntil.toISOString()}</dt><dd>the first cluster that the bundle is applied to can exchange the token for a credential of this tenant. Keep the bundle from others until then.</dd>`
}
</dl></section>
${shown.tenants.length > 1 && tenantChoice(shown.tenants, form.tenant)}
${
  isEmpty
    ? html`<p class="card">This provider offers you no API at the moment. Ask its operator.</p>`
    : html`<fieldset><legend>APIs</legend>${list}</fieldset>
<p><button type="submit">Bind the chosen APIs</button></p>
<p class="soft">If you did not start this from a command on this machine, close this page: nothing happens then.</p>`
}
</form>`;
}

function browsing(shown: CataloguePage, list: Html): Html {
  return html`<p class="lead">Signed in as ${shown.user}. To bind, run this where your app cluster is your current context:</p>
<p class="card"><code>klutch bind ${shown.exportUrl}</code></p>
${shown.offers.length === 0 ? html`<p class="card">This provider offers you no API at the moment.</p>` : list}`;
}
