import { childPath, keyPath } from '../schema/field-path.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { buildNode } from '../schema/node.ts';
import { SELF, schemaType, type SchemaType } from '../types/schema-type.ts';

/** What is known of the values at a place: their type, or why there is none. */
export type Typing = SchemaType | 'unknown' | 'hidden' | undefined;

/** A place of a schema at which rules may stand. */
export class RulePlace {
  readonly schema: JsonSchema;
  /** Where in the definition the place is. */
  readonly path: string;
  /** The first place here or above of which old and new parts cannot be told to belong together. */
  readonly uncorrelated: string | undefined;
  readonly #above: RulePlace | undefined;
  readonly #isElement: boolean;
  /** How often the place can occur in one object; undefined when lists or maps above have no limit. */
  readonly #times: number | undefined;
  #typing: { readonly found: Typing } | undefined;

  private constructor(schema: JsonSchema, path: string, above?: RulePlace, part?: 'property' | 'entry' | 'item') {
    this.schema = schema;
    this.path = path;
    this.#above = above;
    this.#isElement = part === 'entry' || part === 'item';
    const losesTrack = part === 'item' && above?.schema['x-kubernetes-list-type'] !== 'map';
    this.uncorrelated = above?.uncorrelated ?? (losesTrack ? above?.path : undefined);
    const elements = above ? maxElements(above.schema) : 1;
    const times = above ? above.#times : 1;
    this.#times = times === undefined || elements === undefined ? undefined : times * elements;
  }

  /** The whole object. */
  static ofRoot(schema: JsonSchema, path: string): RulePlace {
    return new RulePlace(schema, path);
  }

  property(name: string, schema: JsonSchema): RulePlace {
    return new RulePlace(schema, keyPath(childPath(this.path, 'properties'), name), this, 'property');
  }

  /** The entries of a map. */
  entry(schema: JsonSchema): RulePlace {
    return new RulePlace(schema, childPath(this.path, 'additionalProperties'), this, 'entry');
  }

  item(schema: JsonSchema): RulePlace {
    return new RulePlace(schema, childPath(this.path, 'items'), this, 'item');
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
    const around = this.#above?.typing;
    const hasRules = (this.schema['x-kubernetes-validations'] ?? []).length > 0;
    if (around === undefined && !hasRules) return undefined;
    if (around === 'unknown') return around;
    if (around === 'hidden' || (around && this.#isElement && !around.element)) return 'hidden';
    const isResource = !this.#above || this.schema['x-kubernetes-embedded-resource'] === true;
    return schemaType(buildNode(this.schema), isResource, SELF) ?? 'unknown';
  }
}

/** How many parts of each kind one value can have. */
function maxElements({ type, additionalProperties, maxProperties, maxItems }: JsonSchema): number | undefined {
  if (type === 'object' && additionalProperties !== undefined)
    return maxProperties === undefined ? undefined : Math.max(maxProperties, 0);
  if (type === 'array') return maxItems === undefined ? undefined : Math.max(maxItems, 0);
  return 1;
}
