import type { FieldCause } from '../../status/status-error.ts';
import { schemaType, type SchemaType } from '../cel/types/schema-type.ts';
import { forbidden } from '../fields/field-error.ts';
import { buildNode } from '../object/node.ts';
import type { JsonSchema } from '../types.ts';

/** The most that one rule, and all rules of a schema together, may cost. */
const RULE_LIMIT = 10_000_000;
const SCHEMA_LIMIT = 100_000_000;

/** How often a place of a schema can occur in one object, and the type of values there. */
export class Occurrence {
  readonly #schema: JsonSchema;
  readonly #isResource: boolean;
  /** Undefined when lists or maps above have no limit. */
  readonly #times: number | undefined;

  constructor(schema: JsonSchema, isResource: boolean, times: number | undefined) {
    this.#schema = schema;
    this.#isResource = isResource;
    this.#times = times;
  }

  /** The type of values here; undefined when rules cannot see them. */
  get type(): SchemaType | undefined {
    return schemaType(buildNode(this.#schema), this.#isResource, 'selfType');
  }

  /** The cost of something that happens at every occurrence. */
  total(cost: number, whenUnlimited: number): number {
    const times = this.#times ?? whenUnlimited;
    return cost === 0 || times === 0 ? 0 : cost * times;
  }

  /** The same for a part of the schema at this place. */
  below(part: JsonSchema): Occurrence {
    const elements = maxElements(this.#schema);
    const times = this.#times === undefined || elements === undefined ? undefined : this.#times * elements;
    return new Occurrence(part, part['x-kubernetes-embedded-resource'] === true, times);
  }
}

/** How many parts of each kind one value can have. */
function maxElements({ type, additionalProperties, maxProperties, maxItems }: JsonSchema): number | undefined {
  if (type === 'object' && additionalProperties !== undefined)
    return maxProperties === undefined ? undefined : Math.max(maxProperties, 0);
  if (type === 'array') return maxItems === undefined ? undefined : Math.max(maxItems, 0);
  return 1;
}

/** Adds up what the rules of a schema cost. */
export class CostLedger {
  readonly #isRuleLimited: boolean;
  #total = 0;
  #expensive: { readonly path: string; readonly cost: number }[] = [];

  /** @param isRuleLimited whether single rules are held to their limit; not so for a schema that is in use already */
  constructor(isRuleLimited: boolean) {
    this.#isRuleLimited = isRuleLimited;
  }

  /** Notes the cost of an expression, and says when it is too much. */
  note(path: string, cost: number, what: string): FieldCause[] {
    this.#total += cost;
    if (cost >= SCHEMA_LIMIT / 100) {
      this.#expensive = [...this.#expensive, { path, cost }].sort((a, b) => b.cost - a.cost).slice(0, 4);
    }
    return this.#isRuleLimited && cost > RULE_LIMIT ? [forbidden(path, excess(what, cost / RULE_LIMIT))] : [];
  }

  /** What there is to say about all rules together. */
  verdict(path: string): FieldCause[] {
    if (this.#total <= SCHEMA_LIMIT) return [];
    const contributed = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const all = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#expensive.map((rule) => forbidden(rule.path, contributed)),
      forbidden(path, excess(all, this.#total / SCHEMA_LIMIT)),
    ];
  }
}

function excess(what: string, factor: number): string {
  const shown = factor > 100 ? 'more than 100' : factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1);
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${shown}x (${advice})`;
}
