import { type Html, html } from './html.ts';
import { type ClaimWords, claimWords } from './claim-words.ts';
import { page } from './layout.ts';
import type { Offer } from '../templates/catalogue.ts';

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

export interface OfferOnPage {
  readonly offer: Offer;
  /** Names of those of the user's tenants that may bind it, when not all may. */
  readonly onlyFor?: readonly string[];
}

/** The page on which people see what they can bind and choose; plain HTML, without scripts. */
export function cataloguePage(shown: CataloguePage): string {
  const { form, offers, provider } = shown;
  const title = form ? 'Choose the APIs to bind' : 'APIs that can be bound';
  const list = html`<ul>${offers.map((offer) => apiItem(offer, form))}</ul>`;
  return page(
    { title, provider },
    html`<h1>${title}</h1>
${shown.problem !== undefined && html`<div class="card alert" role="alert">${shown.problem}</div>`}
${form ? bindForm(shown, form, list) : browsing(shown, list)}`,
  );
}

function bindForm(shown: CataloguePage, form: BindForm, list: Html): Html {
  const isEmpty = shown.offers.length === 0;
  return html`<p class="lead">Your app cluster is connected with ${shown.provider}, and the chosen APIs become available in it.</p>
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

function tenantChoice(names: readonly string[], chosen: string | undefined): Html {
  return html`<fieldset><legend>Tenant the app cluster belongs to</legend><div class="card">
${names.map(
  (
    name,
    index,
  ) => html`<label class="choice" for="tenant-${index}"><input type="radio" id="tenant-${index}" name="tenant"
value="${name}" required${name === chosen && html` checked`}><span>${name}</span></label>`,
)}
</div></fieldset>`;
}

function apiItem({ offer, onlyFor }: OfferOnPage, form: BindForm | undefined): Html {
  const { kind, plural } = offer.crd.spec.names;
  const versions = offer.crd.spec.versions.filter(({ served }) => served).map(({ name }) => name);
  const name = html`<strong>${kind}</strong><span class="soft"><code>${offer.name}</code> · ${versions.join(', ')} ·
${offer.crd.spec.scope === 'Namespaced' ? 'in namespaces' : 'for the whole cluster'}</span>`;
  const isChosen = form?.chosen.includes(offer.name) ?? false;
  const id = `api-${offer.name}`;
  return html`<li class="card api${form === undefined && html` browse`}">
${
  form
    ? html`<label class="choice" for="${id}"><input type="checkbox" id="${id}" class="${plural}" name="api" value="${offer.name}"${isChosen && html` checked`}><span>${name}</span></label>`
    : html`<div class="choice"><span>${name}</span></div>`
}
${offer.description !== undefined && html`<p>${offer.description}</p>`}
${onlyFor !== undefined && html`<p class="soft">Only for tenant ${onlyFor.join(', ')}.</p>`}
<div>${claims(offer.permissionClaims.map(claimWords))}</div>
</li>`;
}

function claims(words: readonly ClaimWords[]): Html {
  if (words.length === 0)
    return html`<p class="soft">The provider reads and writes nothing in your cluster but objects of this API.</p>`;
  return html`<h3>Besides objects of this API</h3>
<ul class="claims">${words.map(
    ({ what, notes, isRequired }) => html`<li>${what} ${notes.join(' ')}
${
  isRequired
    ? html`<br><span class="badge needed">Required</span> <span class="soft">the API does not work without it</span>`
    : html`<br><span class="badge">Optional</span> <span class="soft">you may decline it when the command asks</span>`
}</li>`,
  )}</ul>`;
}
