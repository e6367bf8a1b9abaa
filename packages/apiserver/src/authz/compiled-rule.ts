import type { Attributes, PathAttributes, ResourceAttributes } from './attributes.ts';
import type { PolicyRule } from './rbac-objects.ts';

/** A rule in a form that answers without searching lists. */
export interface CompiledRule {
  readonly source: PolicyRule;
  readonly verbs: Names;
  readonly groups: Names;
  readonly resources: Names;
  /** Undefined: all. Names are never wildcards. */
  readonly names: ReadonlySet<string> | undefined;
  readonly paths: Names;
  /** Beginnings of allowed paths. */
  readonly pathPrefixes: readonly string[];
}

/** A set of names, or all. */
interface Names {
  readonly isAll: boolean;
  readonly listed: ReadonlySet<string>;
}

/** Prepares a rule for many questions. */
export function compileRule(rule: PolicyRule): CompiledRule {
  const names = rule.resourceNames ?? [];
  const paths = rule.nonResourceURLs ?? [];
  return {
    source: rule,
    verbs: compileNames(rule.verbs),
    groups: compileNames(rule.apiGroups),
    resources: compileNames(rule.resources),
    names: names.length === 0 ? undefined : new Set(names),
    paths: compileNames(paths),
    pathPrefixes: paths.filter((path) => path.endsWith('*')).map((path) => path.replace(/\*+$/, '')),
  };
}

/** Whether a rule permits what is asked. */
export function ruleAllows(rule: CompiledRule, attributes: Attributes): boolean {
  if (!includes(rule.verbs, attributes.verb)) return false;
  return 'path' in attributes ? pathMatches(rule, attributes) : resourceMatches(rule, attributes);
}

function resourceMatches(rule: CompiledRule, { group, resource, subresource, name }: ResourceAttributes): boolean {
  if (!includes(rule.groups, group)) return false;
  if (rule.names !== undefined && !rule.names.has(name ?? '')) return false;
  if (!subresource) return includes(rule.resources, resource);
  // A rule about a resource says nothing about its subresources, except `*`, which means both.
  return includes(rule.resources, `${resource}/${subresource}`) || rule.resources.listed.has(`*/${subresource}`);
}

function pathMatches({ paths, pathPrefixes }: CompiledRule, { path }: PathAttributes): boolean {
  return includes(paths, path) || pathPrefixes.some((prefix) => path.startsWith(prefix));
}

function compileNames(names: readonly string[] = []): Names {
  return { isAll: names.includes('*'), listed: new Set(names) };
}

function includes({ isAll, listed }: Names, name: string): boolean {
  return isAll || listed.has(name);
}
