import { type Html, html } from './html.ts';

/** Lets the user choose one of several tenants, in a form. */
export function tenantChoice(names: readonly string[], chosen: string | undefined): Html {
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
