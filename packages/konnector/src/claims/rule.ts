import type { AcceptablePermissionClaim, ResourceOwner } from '@klutch/api';
import type { KubeObject } from '@klutch/kube';
import type { BindingRef } from '../bindings/binding-board.ts';
import { defaultMetadataRules, type MetadataRules } from '../instances/metadata-rules.ts';
import type { AcceptedClaim } from './accepted-claim.ts';
import { type FieldPath, parseFieldPath } from './field-path.ts';
import { type FieldTerm, parseFieldSelector } from './field-selector.ts';

/** An accepted claim in a form that decides about objects. */
export interface Rule {
  readonly binding: BindingRef;
  /** The side whose objects are meant; either when absent. */
  readonly owner?: ResourceOwner;
  readonly selector: Selector;
  /** Overwrite an object of the same name that the user made. */
  readonly replaceExisting: boolean;
  /** Bring the provider's objects back after the user deleted them. */
  readonly recreate: boolean;
  /** Delete and create instead of changing a copy. */
  readonly alwaysRecreate: boolean;
  /** Which fields of an existing copy follow the original; all when absent. */
  readonly fields?: FieldRule;
  /** Which labels and annotations an original of either owner passes on. */
  readonly metadata: Readonly<Record<ResourceOwner, MetadataRules>>;
}

export interface FieldRule {
  /** `only`: these and no others. `except`: all but these. */
  readonly mode: 'only' | 'except';
  readonly paths: readonly FieldPath[];
}

/** Which objects are meant; each part that is present must agree. */
export interface Selector {
  readonly names?: ReadonlySet<string>;
  /** Namespaces of the app cluster. */
  readonly namespaces?: ReadonlySet<string>;
  /** One entry that matches is enough. */
  readonly labels?: readonly Readonly<Record<string, string>>[];
  readonly fields: readonly FieldTerm[];
}

/** Reads a claim. What it asks for and cannot be had is refused with the reason, never left out. */
export function ruleOf({ binding, claim }: AcceptedClaim): Rule | { readonly refused: string } {
  const { selector = {}, read = {}, update = {} } = claim;
  const unsupported = unsupportedOf(claim);
  if (unsupported !== undefined) return { refused: `${unsupported} is not supported` };
  if (selector.names?.length === 0) return { refused: 'selector.names is empty, so no object is meant' };
  if (selector.namespaces?.length === 0)
    return { refused: 'selector.namespaces is empty, which means a cluster-scoped type; those are not supported' };
  const fields = fieldRuleOf(update);
  if (fields !== undefined && 'refused' in fields) return fields;
  const terms = fieldTermsOf(selector.fieldSelectors);
  if ('refused' in terms) return terms;
  return {
    binding,
    owner: selector.owner,
    selector: {
      names: exactly(selector.names),
      namespaces: exactly(selector.namespaces),
      labels: selector.labelSelectors?.length ? selector.labelSelectors : undefined,
      fields: terms.terms,
    },
    replaceExisting: claim.create?.replaceExisting ?? false,
    recreate: claim.onConflict?.recreateWhenConsumerSideDeleted ?? true,
    alwaysRecreate: update.alwaysRecreate ?? false,
    fields,
    metadata: { Provider: metadataRulesOf(update), Consumer: metadataRulesOf(read) },
  };
}

/** Whether an object of the given side is meant as an original. */
export function selects(rule: Rule, owner: ResourceOwner, object: KubeObject, appNamespace: string): boolean {
  const { names, namespaces, labels, fields } = rule.selector;
  const { name = '', labels: own = {} } = object.metadata;
  if (rule.owner !== undefined && rule.owner !== owner) return false;
  if (names !== undefined && !names.has(name)) return false;
  if (namespaces !== undefined && !namespaces.has(appNamespace)) return false;
  if (!fields.every((term) => ((term.field === 'name' ? name : appNamespace) === term.value) === term.equal))
    return false;
  return labels?.some((entry) => Object.entries(entry).every(([key, value]) => own[key] === value)) ?? true;
}

/** Metadata that would have to travel against the direction of its object, and changes of owner. */
function unsupportedOf({
  autoAdopt,
  autoDonate,
  read = {},
  update = {},
}: AcceptablePermissionClaim): string | undefined {
  if (autoAdopt) return 'autoAdopt';
  if (autoDonate) return 'autoDonate';
  if (read.labelsOnProviderOwnedObjects?.length) return 'read.labelsOnProviderOwnedObjects';
  if (read.overrideAnnotations?.length) return 'read.overrideAnnotations';
  if (update.labelsOnConsumerOwnedObjects?.length) return 'update.labelsOnConsumerOwnedObjects';
  if (update.annotationsOnConsumerOwnedObjects?.length) return 'update.annotationsOnConsumerOwnedObjects';
  if (update.fields?.length && update.preserving?.length) return 'update.fields together with update.preserving';
  return undefined;
}

function fieldRuleOf(
  update: NonNullable<AcceptablePermissionClaim['update']>,
): FieldRule | { readonly refused: string } | undefined {
  const mode = update.fields?.length ? 'only' : 'except';
  const texts = (mode === 'only' ? update.fields : update.preserving) ?? [];
  if (texts.length === 0) return undefined;
  const paths: FieldPath[] = [];
  for (const text of texts) {
    const path = parseFieldPath(text);
    if (path === undefined) return { refused: `update names "${text}", which is no plain path to a field` };
    paths.push(path);
  }
  return { mode, paths };
}

function fieldTermsOf(
  texts: readonly string[] = [],
): { readonly terms: readonly FieldTerm[] } | { readonly refused: string } {
  const terms: FieldTerm[] = [];
  for (const text of texts) {
    const parsed = parseFieldSelector(text);
    if (parsed === undefined)
      return {
        refused: `selector.fieldSelectors has "${text}"; only metadata.name and metadata.namespace can be selected`,
      };
    terms.push(...parsed);
  }
  return { terms };
}

interface KeyPatterns {
  readonly labels?: readonly { readonly pattern?: string }[];
  readonly annotations?: readonly { readonly pattern?: string }[];
}

function metadataRulesOf({ labels, annotations }: KeyPatterns): MetadataRules {
  return {
    labels: labels?.map(({ pattern = '' }) => pattern) ?? defaultMetadataRules.labels,
    annotations: annotations?.map(({ pattern = '' }) => pattern) ?? defaultMetadataRules.annotations,
  };
}

function exactly(names: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return names === undefined || names.includes('*') ? undefined : new Set(names);
}
