import { type ClaimWords, claimWords, serviceDescriptionOf } from '@klutch/api';
import type { Offer } from '../templates/catalogue.ts';
import { type Html, html } from './html.ts';
import { serviceFacts } from './service-facts.ts';

export interface OfferOnPage {
  readonly offer: Offer;
  /** Names of those of the user's tenants that may bind it, when not all may. */
  readonly onlyFor?: readonly string[];
}

/** An API of the catalogue with everything that it claims; to be chosen where names of chosen ones are given. */
export function offerItem(
  { offer, onlyFor }: OfferOnPage,
  form: { readonly chosen: readonly string[] } | undefined,
): Html {
  const { kind, plural } = offer.crd.spec.names;
  const versions = offer.crd.spec.versions.filter(({ served }) => served).map(({ name }) => name);
  const service = serviceDescriptionOf(offer.crd);
  const description = offer.description ?? service?.description;
  const name = html`<strong>${service?.displayName ?? kind}</strong><span class="soft">${service && `${kind} · `}<code>${offer.name}</code> · ${versions.join(', ')} ·
${offer.crd.spec.scope === 'Namespaced' ? 'in namespaces' : 'for the whole cluster'}</span>`;
  const isChosen = form?.chosen.includes(offer.name) ?? false;
  const id = `api-${offer.name}`;
  return html`<li class="card api${form === undefined && html` browse`}">
${
  form
    ? html`<label class="choice" for="${id}"><input type="checkbox" id="${id}" class="${plural}" name="api" value="${offer.name}"${isChosen && html` checked`}><span>${name}</span></label>`
    : html`<div class="choice"><span>${name}</span></div>`
}
${description !== undefined && html`<p>${description}</p>`}
${service && html`<div>${serviceFacts(service)}</div>`}
${onlyFor !== undefined && html`<p class="soft">Only for tenant ${onlyFor.join(', ')}.</p>`}
<div>${claims(offer.permissionClaims.map(claimWords))}</div>
</li>`;
}

function claims(words: readonly ClaimWords[]): Html {
  if (words.length === 0)
    return html`<p class="soft">The provider reads and writes nothing in your cluster but objects of this API.</p>`;
  return html`<h3>Besides objects of this API</h3>
<ul class="claims">${words.map(
    ({ what, notes, isRequired, necessity }) => html`<li>${what} ${notes.join(' ')}
${
  isRequired
    ? html`<br><span class="badge needed">Required</span> <span class="soft">${necessity}</span>`
    : html`<br><span class="badge">Optional</span> <span class="soft">${necessity} The command asks whether you accept it.</span>`
}</li>`,
  )}</ul>`;
}
