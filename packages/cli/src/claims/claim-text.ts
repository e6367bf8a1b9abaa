import type { PermissionClaim } from '@klutch/api';

/** Pure: what a provider asks for, in the lines that are shown to the user; the last one is the question. */
export function claimText(claim: PermissionClaim): readonly string[] {
  return [
    ...wish(claim),
    ...creation(claim),
    ...updates(claim),
    claim.required
      ? 'Accepting this claim is required for the API to work.'
      : 'Accepting this claim is optional; the API works without it.',
    'Do you accept this claim? [No,Yes]',
  ];
}

/** Pure: a claim in a few words, such as `secrets v1 (write)`. */
export function claimName(claim: PermissionClaim): string {
  return `${claim.resource} ${apiVersionOf(claim)} (${verb(claim)})`;
}

function wish(claim: PermissionClaim): readonly string[] {
  const { names = ['*'], namespaces, labelSelectors = [] } = claim.selector ?? {};
  const begin = `The provider wants to ${verb(claim)} ${claim.resource} objects (apiVersion "${apiVersionOf(claim)}")`;
  const places = (namespaces ?? ['*']).filter((namespace) => namespace !== '*');
  return [
    names.length === 0 ? `${begin} in your cluster.` : `${begin} in your cluster with these names:`,
    ...names.map((name) => `  - ${shown(name)}`),
    ...(places.length === 0 ? [] : [`Only in these namespaces: ${places.map(shown).join(', ')}.`]),
    ...(labelSelectors.length === 0 ? [] : [`Only with labels: ${labelSelectors.map(labelText).join(' or ')}.`]),
  ];
}

function verb({ selector, autoAdopt, autoDonate }: PermissionClaim): string {
  if (autoDonate) return 'create user owned';
  if (autoAdopt) return 'have ownership of';
  if (selector?.owner === 'Provider') return 'write';
  return selector?.owner === 'Consumer' ? 'read' : 'read and write';
}

function creation({ create, onConflict, selector }: PermissionClaim): readonly string[] {
  // That is what an app cluster does unless it is told otherwise.
  const comesBack = selector?.owner !== 'Consumer' && onConflict?.recreateWhenConsumerSideDeleted !== false;
  return [
    ...(create?.replaceExisting ? ['It replaces objects of yours that have the same name.'] : []),
    ...(comesBack ? ['It creates objects again that you delete.'] : []),
  ];
}

function updates({ update }: PermissionClaim): readonly string[] {
  if (update === undefined) return [];
  const list = (fields: readonly string[]) => fields.map(shown).join(', ');
  return [
    ...(update.fields?.length
      ? [`It may still change these fields of objects that exist: ${list(update.fields)}.`]
      : []),
    ...(update.preserving?.length
      ? [`It preserves these fields of objects that exist: ${list(update.preserving)}.`]
      : []),
    ...(update.alwaysRecreate ? ['It deletes and creates objects in place of changing them.'] : []),
  ];
}

function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => shown(`${key}=${value}`))
    .join(',');
}

function apiVersionOf({ group, version }: PermissionClaim): string {
  return group ? `${group}/${version}` : version;
}

/** Without anything a terminal would act upon: the text is the provider's. */
function shown(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}
