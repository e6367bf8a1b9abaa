import type { Offer } from '../templates/catalogue.ts';
import { type Html, html } from './html.ts';
import { page } from './layout.ts';
import { offerItem } from './offer-item.ts';
import { tenantChoice } from './tenant-choice.ts';

export interface CodePage {
  readonly provider: string;
  /** Who is logged in. */
  readonly user: string;
  /** Of the form. */
  readonly token: string;
  /** Typed before, or part of the address. */
  readonly userCode: string;
  /** What was wrong with the form before. */
  readonly problem?: string;
}

/** The page on which people type the code that a command shows. */
export function codePage({ provider, user, token, userCode, problem }: CodePage): string {
  const title = 'Log in for a command';
  return page(
    { title, provider },
    html`<h1>${title}</h1>
${problem !== undefined && html`<div class="card alert" role="alert">${problem}</div>`}
<p class="lead">Signed in as ${user}. Go on only if you have started <code>klutch bind --device-code</code> yourself and it shows this code.</p>
<form method="post" action="device/enter">
<input type="hidden" name="token" value="${token}">
<p class="card"><label for="user-code">Code that the command shows</label>
<input type="text" id="user-code" name="user_code" value="${userCode}" required autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="XXXX-XXXX"></p>
<p><button type="submit">Continue</button></p>
</form>`,
  );
}

/** Shown until the command has asked for the outcome once more; loads itself again. */
export function waitingPage({ provider, userCode }: { readonly provider: string; readonly userCode: string }): string {
  const title = 'Waiting for the command';
  return page(
    { title, provider, refreshSeconds: 2 },
    html`<h1>${title}</h1>
<div class="card" role="status">
<p>The command that shows the code <code>${userCode}</code> will say in a moment what it asks for. This page loads itself again.</p>
<p class="soft">If nothing happens, the code is wrong or the command has ended: <a href="device">type another code</a>.</p>
</div>`,
  );
}

export interface ConsentPage {
  readonly provider: string;
  readonly user: string;
  readonly userCode: string;
  readonly token: string;
  readonly clusterId: string;
  /** Set when all credentials of the app cluster of this namespace are to end. */
  readonly evict?: string;
  /** Address that the command called from. */
  readonly from: string;
  /** When it did, in ISO 8601. */
  readonly at: string;
  /** Set for a bundle: how long it may be applied. */
  readonly enrolmentSeconds?: number;
  /** Names; the user chooses if there are several. */
  readonly tenants: readonly string[];
  readonly offers: readonly Offer[];
  readonly problem?: string;
}

/** A bundle is for the first cluster that it is applied to, whichever that is. */
function clusterWords({ clusterId, enrolmentSeconds, evict }: ConsentPage): Html {
  if (evict !== undefined) return html`<code>${evict}</code>`;
  if (enrolmentSeconds === undefined) return html`<code>${clusterId}</code>`;
  const hours = Math.max(1, Math.round(enrolmentSeconds / 3600));
  return html`<code>${clusterId}</code>, the first cluster that a file is applied to within ${hours} ${hours === 1 ? 'hour' : 'hours'}`;
}

/** The page on which people see what a command with a device code asks for, and decide. */
export function consentPage(shown: ConsentPage): string {
  const isEviction = shown.evict !== undefined;
  const title = isEviction ? 'End all credentials of this app cluster?' : 'Connect this app cluster?';
  const when = shown.at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
  return page(
    { title, provider: shown.provider },
    html`<h1>${title}</h1>
${shown.problem !== undefined && html`<div class="card alert" role="alert">${shown.problem}</div>`}
<p class="lead">${
      isEviction
        ? 'A command asks to end every credential that was ever issued to this app cluster, whoever has it. It gets the one that is issued instead. Data and bindings stay.'
        : `A command asks to connect an app cluster to ${shown.provider} in your name. It gets a credential that can use everything below.`
    }</p>
<form method="post" action="device/confirm">
<input type="hidden" name="token" value="${shown.token}">
<input type="hidden" name="user_code" value="${shown.userCode}">
<section class="card" aria-labelledby="about"><h2 id="about">Who asks</h2>
<dl class="facts">
<dt>Signed in as</dt><dd>${shown.user}</dd>
${shown.tenants.length === 1 && html`<dt>Tenant</dt><dd>${shown.tenants[0]}</dd>`}
<dt>App cluster</dt><dd>${clusterWords(shown)}</dd>
<dt>Code</dt><dd><code>${shown.userCode}</code></dd>
<dt>Requested from</dt><dd><code>${shown.from}</code></dd>
<dt>Requested at</dt><dd>${when}</dd>
</dl></section>
${shown.tenants.length > 1 && tenantChoice(shown.tenants, undefined)}
${
  !isEviction &&
  html`<h2>APIs</h2>
<ul>${shown.offers.map((offer) => offerItem({ offer }, undefined))}</ul>`
}
<p class="card alert">Go on only if you have started this command yourself. If somebody sent you this link or code, refuse.</p>
<p class="choices"><button type="submit" name="answer" value="connect">${isEviction ? 'End all credentials' : 'Connect this app cluster'}</button>
<button type="submit" class="quiet" name="answer" value="refuse" formnovalidate>Refuse</button></p>
</form>`,
  );
}
