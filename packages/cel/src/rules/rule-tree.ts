import { SELF, schemaType, type SchemaType } from '../types/schema-type.ts';
import { escapeField } from '../types/escape.ts';
import { withMeta } from '../values/data-meta.ts';
import type { Node } from '../schema/node.ts';
import { type CompiledRule, compileRules } from './compile-rules.ts';

/** The rules of a schema, in the shape of the schema; parts without rules are left out. */
export interface RuleTree {
  /** How values at this place are read; for resources with the fields that every resource has. */
  readonly node: Node;
  readonly rules: readonly CompiledRule[];
  /** Why the rules cannot run at all. */
  readonly problem: string | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additional: RuleTree | undefined;
  readonly items: RuleTree | undefined;
}

/** Collects and compiles the rules of a schema; undefined when it has none. */
export function buildRuleTree(node: Node, isResource: boolean): RuleTree | undefined {
  return build(node, isResource, schemaType(node, isResource, SELF));
}

function build(node: Node, isResource: boolean, declared: SchemaType | undefined): RuleTree | undefined {
  const hasRules = (node.source['x-kubernetes-validations']?.length ?? 0) > 0;
  // Every rule sees its own place as the beginning, also in the names of types.
  const self = hasRules && declared ? schemaType(node, isResource, SELF) : undefined;
  const rules = self ? compileRules(node, self) : [];
  const problem = hasRules && !self ? 'failed to convert to declType for CEL validation rules' : undefined;
  const items = node.items && build(node.items, node.items.embedded, declared?.element);
  const additional = node.additional && build(node.additional, node.additional.embedded, declared?.element);
  const properties = new Map<string, RuleTree>();
  for (const [name, property] of node.properties ?? []) {
    const type = propertyType(name, property, declared);
    const tree = type && build(property, property.embedded, type);
    if (tree) properties.set(name, tree);
  }
  if (!hasRules && !items && !additional && properties.size === 0) return undefined;
  return { node: isResource ? withMeta(node) : node, rules, problem, properties, additional, items };
}

/** Fields of unknown type have no rules; those without an identifier have a type of their own. */
function propertyType(name: string, property: Node, declared: SchemaType | undefined): SchemaType | undefined {
  const identifier = escapeField(name);
  if (identifier === undefined) return schemaType(property, property.embedded, SELF);
  return declared?.fields?.get(identifier);
}
