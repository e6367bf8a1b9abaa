export type AcceptedForm = 'aggregated' | 'json' | 'yaml';

/** The form of discovery that a client likes best among those there are; undefined when it likes none. */
export function acceptedForm(accept: string | undefined): AcceptedForm | undefined {
  if (accept === undefined || accept.trim() === '') return 'json';
  for (const range of accept.split(',')) {
    const form = formOf(range);
    if (form !== undefined) return form;
  }
  return undefined;
}

function formOf(range: string): AcceptedForm | undefined {
  const [type = '', ...rest] = range.split(';').map((part) => part.trim());
  const parameters = new Map(rest.map((part) => part.split('=', 2) as [string, string]));
  if (type === 'application/yaml') return 'yaml';
  if (type !== 'application/json' && type !== 'application/*' && type !== '*/*') return undefined;
  const as = parameters.get('as');
  if (as === undefined) return 'json';
  const isKnown = parameters.get('g') === 'apidiscovery.k8s.io' && parameters.get('v') === 'v2';
  return isKnown && as === 'APIGroupDiscoveryList' ? 'aggregated' : undefined;
}
