import type { ServiceDescription } from '@klutch/api';
import { type Html, html } from './html.ts';

type Plan = NonNullable<ServiceDescription['plans']>[number];

/** What the catalogue tells about a service: its versions, its plans with what they give and cost, and where to read on. */
export function serviceFacts({ displayName, documentation, versions = [], plans = [] }: ServiceDescription): Html {
  return html`${versions.length > 0 && html`<p class="soft">Versions: ${versions.map(({ name }) => name).join(', ')}</p>`}
${plans.length > 0 && planTable(plans)}
${
  documentation !== undefined &&
  html`<p><a href="${documentation}" target="_blank" rel="noopener noreferrer">Documentation of ${displayName}</a></p>`
}`;
}

function planTable(plans: readonly Plan[]): Html {
  const columns = [
    { heading: 'Plan', cell: ({ name }: Plan) => html`<code>${name}</code>`, isShown: true },
    { heading: 'You get', cell: gets, isShown: plans.some((plan) => gets(plan) !== '') },
    { heading: 'Cost', cell: ({ cost }: Plan) => cost, isShown: plans.some(({ cost }) => cost !== undefined) },
  ].filter(({ isShown }) => isShown);
  return html`<details><summary>${plans.length === 1 ? '1 plan' : `${plans.length} plans`}</summary>
<table><thead><tr>${columns.map(({ heading }) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${plans.map((plan) => html`<tr>${columns.map(({ cell }) => html`<td>${cell(plan)}</td>`)}</tr>`)}</tbody></table></details>`;
}

function gets({ description, limits = {} }: Plan): string {
  const amounts = Object.entries(limits).map(([of, amount]) => `${of} ${amount}`);
  return [...(description === undefined ? [] : [description]), ...amounts].join(', ');
}
