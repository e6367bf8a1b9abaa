import { apiName, type PermissionClaim } from '@klutch/api';

/** A permission claim in the words of somebody who has to decide about it. */
export interface ClaimWords {
  /** What the provider does, in a sentence. */
  readonly what: string;
  /** Further things worth knowing, a sentence each. */
  readonly notes: readonly string[];
  readonly isRequired: boolean;
}

/** Says what accepting a claim means: who reads and writes what. */
export function claimWords(claim: PermissionClaim): ClaimWords {
  return { what: `${deed(claim)}${restriction(claim)}.`, notes: notesOf(claim), isRequired: claim.required ?? false };
}

function deed(claim: PermissionClaim): string {
  const objects = apiName(claim);
  if (claim.autoDonate) return `The provider creates ${objects} in your cluster that then belong to you`;
  if (claim.autoAdopt) return `The provider takes over your ${objects}: it reads them and may change and delete them`;
  switch (claim.selector?.owner) {
    case 'Provider':
      return `The provider writes ${objects} of its own into your cluster; yours are neither read nor changed`;
    case 'Consumer':
      return `The provider reads your ${objects}: copies of them go to the provider`;
    case undefined:
      return `The provider reads your ${objects}, copies of which go to the provider, and writes ${objects} of its own into your cluster`;
  }
}

function restriction({ selector }: PermissionClaim): string {
  const parts = [
    listed('named', selector?.names),
    listed('in namespace', selector?.namespaces),
    selector?.labelSelectors?.length ? `labelled ${selector.labelSelectors.map(labelText).join(' or ')}` : undefined,
    selector?.fieldSelectors?.length ? `with ${selector.fieldSelectors.join(' and ')}` : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : ` – only those ${parts.join(', ')}`;
}

function listed(word: string, names: readonly string[] | undefined): string | undefined {
  if (names === undefined || names.length === 0 || names.includes('*')) return undefined;
  return `${word} ${names.join(' or ')}`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(' and ');
}

function notesOf({ create, onConflict, selector, update }: PermissionClaim): string[] {
  const mayWrite = selector?.owner !== 'Consumer';
  return [
    mayWrite && create?.replaceExisting && 'An object of yours with the same name is replaced.',
    mayWrite &&
      onConflict?.recreateWhenConsumerSideDeleted &&
      'If you delete one of the provider’s objects, it comes back.',
    update?.fields?.length && `Only these fields are kept in step: ${update.fields.join(', ')}.`,
    update?.preserving?.length && `These fields stay as they are in your cluster: ${update.preserving.join(', ')}.`,
    update?.alwaysRecreate && 'Changed objects are deleted and created anew.',
  ].filter((note) => typeof note === 'string');
}
