import { buildNode, type JsonSchema, schemaType, type SchemaType } from '@klutch/cel';
import type { FieldCause } from '../../status/status-error.ts';
import { forbidden } from '../fields/field-error.ts';
import { isFilled } from './raw-schema.ts';

/** The most that one rule, and all rules of a schema together, may cost. */
const RULE_LIMIT = 10_000_000;
const SCHEMA_LIMIT = 100_000_000;

/** What is known of the values at a place: their type, or why there is none. */
export type Typing = SchemaType | 'unknown' | 'hidden' | undefined;

/** How often a place of a schema can occur in one object, and the type of values there. */
export class Occurrence {
  readonly #schema: JsonSchema;
  readonly #above: { readonly occurrence: Occurrence; readonly property: string | undefined } | undefined;
  /** Undefined when lists or maps above have no limit. */
  readonly #times: number | undefined;
  #typing: { readonly found: Typing } | undefined;

  private constructor(schema: JsonSchema, above: Occurrence | undefined, property: string | undefined) {
    this.#schema = schema;
    this.#above = above && { occurrence: above, property };
    const elements = above ? maxElements(above.#schema) : 1;
    const times = above ? above.#times : 1;
    this.#times = times === undefined || elements === undefined ? undefined : times * elements;
  }

  /** The whole object. */
  static ofRoot(schema: JsonSchema): Occurrence {
    return new Occurrence(schema, undefined, undefined);
  }

  /** The same for a property, or for the entries or items, of the schema at this place. */
  below(part: JsonSchema, property?: string): Occurrence {
    return new Occurrence(part, this, property);
  }

  /**
   * The type of values here: `unknown` when they, or values around them that have rules too, have none; `hidden` when they
   * are in something that rules see as a whole; undefined when there are no rules here or above.
   */
  get typing(): Typing {
    this.#typing ??= { found: this.#findTyping() };
    return this.#typing.found;
  }

  /** The cost of something that happens at every occurrence. */
  total(cost: number, whenUnlimited: number): number {
    const times = this.#times ?? whenUnlimited;
    return cost === 0 || times === 0 ? 0 : cost * times;
  }

  #findTyping(): Typing {
    const around = this.#above?.occurrence.typing;
    if (around === undefined && !isFilled(this.#schema['x-kubernetes-validations'])) return undefined;
    if (around === 'unknown') return around;
    const isElement = this.#above !== undefined && this.#above.property === undefined;
    if (around === 'hidden' || (around && isElement && !around.element)) return 'hidden';
    const isResource = !this.#above || this.#schema['x-kubernetes-embedded-resource'] === true;
    return schemaType(buildNode(this.#schema), isResource, 'selfType') ?? 'unknown';
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
