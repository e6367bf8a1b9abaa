import type { Registry } from '../registry/registry.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { labelSelectorFrom, type Labels } from '../select/index.ts';
import type { AdmissionAttributes, ReviewedObject } from './admission-attributes.ts';
import type { MatchResources, ResourceRule } from './policy-objects.ts';

/** What matching needs to know besides the request. */
export interface MatchContext {
  readonly registry: Registry;
  /** Labels of a namespace; throws the 404 of Kubernetes when there is none of the name. */
  readonly namespaceLabels: (name: string) => Labels;
}

/**
 * The resource as which a request is meant: its own, or the same in another version. Undefined when the request is not
 * meant.
 */
export function matchRequest(
  match: MatchResources,
  attributes: AdmissionAttributes,
  context: MatchContext,
): ServedResource | undefined {
  const inNamespace = attempt(() => matchesNamespace(match, attributes, context));
  if (inNamespace === false) return undefined;
  if (!matchesObject(match, attributes)) return undefined;
  if (matchRules(match.excludeResourceRules ?? [], match, attributes, context)) return undefined;
  const { resourceRules = [] } = match;
  const matched =
    resourceRules.length === 0 ? attributes.resource : matchRules(resourceRules, match, attributes, context);
  // A namespace that cannot be read matters only to policies that are about the request.
  if (matched && inNamespace !== true) throw inNamespace.problem;
  return matched;
}

function attempt(decide: () => boolean): boolean | { readonly problem: unknown } {
  try {
    return decide();
  } catch (problem) {
    return { problem };
  }
}

function matchesNamespace(
  { namespaceSelector }: MatchResources,
  { resource, subresource, namespace, operation, object }: AdmissionAttributes,
  { namespaceLabels }: MatchContext,
): boolean {
  const isNamespaces = resource.resource === 'namespaces';
  if (namespace === '' && !isNamespaces) return true;
  const selector = labelSelectorFrom(namespaceSelector ?? {});
  if (selector.isEmpty) return true;
  // What a namespace becomes counts, not what it is.
  if (isNamespaces && subresource === '' && operation !== 'DELETE') return selector.matches(labelsOf(object));
  return selector.matches(namespaceLabels(namespace));
}

function matchesObject({ objectSelector }: MatchResources, { object, old }: AdmissionAttributes): boolean {
  const selector = labelSelectorFrom(objectSelector ?? {});
  if (selector.isEmpty) return true;
  return [object, old].some((one) => one !== undefined && selector.matches(labelsOf(one)));
}

const labelsOf = (object: ReviewedObject | undefined): Labels => object?.metadata?.labels ?? {};

/** The resource, or an equivalent one, that a rule names. */
function matchRules(
  rules: readonly ResourceRule[],
  { matchPolicy }: MatchResources,
  attributes: AdmissionAttributes,
  { registry }: MatchContext,
): ServedResource | undefined {
  const { resource } = attributes;
  if (rules.some((rule) => matchesRule(rule, resource, attributes))) return resource;
  if (matchPolicy !== 'Equivalent') return undefined;
  const equivalents = registry.all().filter((other) => other.bucket === resource.bucket && other !== resource);
  for (const rule of rules) {
    const equivalent = equivalents.find((other) => matchesRule(rule, other, attributes));
    if (equivalent) return equivalent;
  }
  return undefined;
}

function matchesRule(rule: ResourceRule, as: ServedResource, attributes: AdmissionAttributes): boolean {
  const { operations = [], apiGroups = [], apiVersions = [], resourceNames = [] } = rule;
  return (
    matchesScope(rule, as, attributes) &&
    includes(operations, attributes.operation) &&
    includes(apiGroups, as.group) &&
    includes(apiVersions, as.version) &&
    matchesResource(rule, as, attributes) &&
    (resourceNames.length === 0 || resourceNames.includes(attributes.name))
  );
}

const includes = (names: readonly string[], name: string) => names.includes('*') || names.includes(name);

function matchesScope(
  { scope = '*' }: ResourceRule,
  { group, resource }: ServedResource,
  { namespace }: AdmissionAttributes,
): boolean {
  const isNamespaced = namespace !== '' && !(group === '' && resource === 'namespaces');
  if (scope === 'Namespaced') return isNamespaced;
  return scope === '*' || !isNamespaced;
}

/** Names are resources or `resource/subresource`, and a star stands for all; a star alone does not mean subresources. */
function matchesResource(
  { resources = [] }: ResourceRule,
  as: ServedResource,
  { subresource }: AdmissionAttributes,
): boolean {
  return resources.some((named) => {
    const end = named.indexOf('/');
    const resource = end === -1 ? named : named.slice(0, end);
    const sub = end === -1 ? '' : named.slice(end + 1);
    return (resource === '*' || resource === as.resource) && (sub === '*' || sub === subresource);
  });
}
