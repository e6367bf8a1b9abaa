import { goQuote } from '@klutch/cel';
import { forbidden, StatusError } from '../status/status-error.ts';
import type { Attributes } from './attributes.ts';

/** The refusal of a request that nothing allows. */
export function forbiddenRequest(attributes: Attributes, reason: string): StatusError {
  const refusal = escapeMarkup(refusalText(attributes));
  const problem = reason === '' ? refusal : `${refusal}: ${reason}`;
  if ('path' in attributes) return new StatusError(403, 'Forbidden', `forbidden: ${problem}`, {});
  return forbidden({ group: attributes.group, resource: attributes.resource }, attributes.name ?? '', problem);
}

function refusalText(attributes: Attributes): string {
  const action = `User ${goQuote(attributes.user.name)} cannot ${attributes.verb}`;
  if ('path' in attributes) return `${action} path ${goQuote(attributes.path)}`;
  const { group, resource, subresource, namespace } = attributes;
  const what = goQuote(subresource ? `${resource}/${subresource}` : resource);
  const where = namespace ? `in the namespace ${goQuote(namespace)}` : 'at the cluster scope';
  return `${action} resource ${what} in API group ${goQuote(group)} ${where}`;
}

/** A browser that is shown the message must not take parts of a path for markup. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
