import type { PermissionClaim } from '../kinds/permission-claim.ts';
import { apiName } from '../names/api-name.ts';

/** A permission claim in the words of somebody who has to decide about it; the same on pages and in commands. */
export interface ClaimWords {
  /** What the provider wants to do, in a sentence. */
  readonly what: string;
  /** Further things worth knowing, a sentence each. */
  readonly notes: readonly string[];
  readonly isRequired: boolean;
  /** What declining it means, in a sentence. */
  readonly necessity: string;
}

/**
 * Pure: what accepting a permission claim means: who reads and writes what. Names and selectors are the provider's; nothing of them acts
 * upon a terminal.
 */
export function claimWords(claim: PermissionClaim): ClaimWords {
  const isRequired = claim.required ?? false;
  return {
    what: plain(`${wish(claim)}${restriction(claim)}.`),
    notes: notesOf(claim).map(plain),
    isRequired,
    necessity: isRequired ? 'The API does not work without it.' : 'The API works without it.',
  };
}

/** Pure: a permission claim in a few words, such as `secrets (write)`. */
export function claimName(claim: PermissionClaim): string {
  return plain(`${apiName(claim)} (${verb(claim)})`);
}

function wish(claim: PermissionClaim): string {
  const objects = apiName(claim);
  if (claim.autoDonate) return `The provider wants to create ${objects} in your cluster that then belong to you`;
  if (claim.autoAdopt) return `The provider wants to own your ${objects}: it reads them and may change and delete them`;
  switch (claim.selector?.owner) {
    case 'Provider':
      return `The provider wants to write ${objects} of its own into your cluster; yours are neither read nor changed`;
    case 'Consumer':
      return `The provider wants to read your ${objects}: copies of them go to the provider`;
    case undefined:
      return `The provider wants to read your ${objects}, copies of which go to the provider, and to write ${objects} of its own into your cluster`;
  }
}

function verb({ selector, autoAdopt, autoDonate }: PermissionClaim): string {
  if (autoDonate) return 'create';
  if (autoAdopt) return 'own';
  if (selector?.owner === 'Provider') return 'write';
  return selector?.owner === 'Consumer' ? 'read' : 'read and write';
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
    // The konnector does so unless the claim says otherwise.
    mayWrite &&
      onConflict?.recreateWhenConsumerSideDeleted !== false &&
      'If you delete one of the provider’s objects, it is created again.',
    update?.fields?.length && `Of existing objects only these fields are updated: ${update.fields.join(', ')}.`,
    update?.preserving?.length && `These fields of existing objects stay as they are: ${update.preserving.join(', ')}.`,
    update?.alwaysRecreate && 'Changed objects are deleted and created again.',
  ].filter((note) => typeof note === 'string');
}

function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}
