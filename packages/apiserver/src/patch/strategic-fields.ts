import { goQuote, type JsonSchema } from '@klutch/cel';
import { refused } from './strategic-refusal.ts';

/** How a field merges, and the schema of what is in it: of the items for a list, of the fields for an object. */
export interface StrategicField {
  /** `merge`, `replace` or nothing. */
  readonly strategy: string;
  /** The field that tells items of a list apart; empty for lists of scalars. */
  readonly mergeKey: string;
  readonly schema: JsonSchema;
}

export function listField(parent: JsonSchema, key: string): StrategicField {
  const field = fieldSchema(parent, key);
  return {
    strategy: strategyOf(field),
    mergeKey: field['x-kubernetes-patch-merge-key'] ?? '',
    schema: field.items ?? {},
  };
}

export function objectField(parent: JsonSchema, key: string): StrategicField {
  const field = fieldSchema(parent, key);
  return { strategy: strategyOf(field), mergeKey: '', schema: field };
}

function fieldSchema(parent: JsonSchema, key: string): JsonSchema {
  const { properties, additionalProperties } = parent;
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key] as JsonSchema;
  if (typeof additionalProperties === 'object') return additionalProperties;
  if (properties === undefined || additionalProperties === true) return {};
  throw refused(`unable to find api field in struct ${parent.title ?? ''} for the json field ${goQuote(key)}`);
}

function strategyOf(field: JsonSchema): string {
  const strategies = (field['x-kubernetes-patch-strategy'] ?? '').split(',');
  return strategies.find((strategy) => strategy !== 'retainKeys') ?? '';
}
