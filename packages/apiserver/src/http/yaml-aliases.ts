import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type Node, visit } from 'yaml';
import { maxDepth } from '../operations/depth.ts';

/** Far more text than an object can have, and little enough to be copied. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * What is wrong with the aliases of a document, found before anything is made of it: aliases of nothing, of what
 * contains them, or that stand for too much. The measure is that of Go's decoder, which counts values as it meets them
 * and refuses when too large a part of them comes from aliases; the characters are counted in addition.
 */
export function yamlAliasProblem(document: Document): string | undefined {
  if (!hasAlias(document)) return undefined;
  try {
    new AliasCount(document).value(document.contents, { aliases: 0, levels: 0 });
    return undefined;
  } catch (problem) {
    if (problem instanceof AliasProblem) return problem.message;
    throw problem;
  }
}

class AliasProblem extends Error {}

/** How many aliases and collections a value is inside of. */
interface Depth {
  readonly aliases: number;
  readonly levels: number;
}

class AliasCount {
  readonly #document: Document;
  readonly #open = new Set<Node>();
  /** Go counts the document, too. */
  #values = 1;
  #aliased = 0;
  #characters = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  value(node: unknown, depth: Depth): void {
    this.#values += 1;
    if (depth.aliases > 0) this.#aliased += 1;
    if (depth.levels > maxDepth) throw new AliasProblem(`exceeded max depth of ${maxDepth}`);
    if (this.#aliased > 100 && this.#values > 1000 && this.#aliased / this.#values > allowedRatio(this.#values)) {
      throw new AliasProblem('document contains excessive aliasing');
    }
    const below = { aliases: depth.aliases, levels: depth.levels + 1 };
    if (isAlias(node)) this.#alias(node.source, node.resolve(this.#document), depth);
    else if (isScalar(node)) this.#scalar(node.value);
    else if (isSeq(node)) for (const item of node.items) this.value(item, below);
    else if (isMap(node)) for (const pair of node.items) this.#pair(pair, below);
  }

  #alias(name: string, target: Node | undefined, depth: Depth): void {
    if (!target) throw new AliasProblem(`unknown anchor '${name}' referenced`);
    if (this.#open.has(target)) throw new AliasProblem(`anchor '${name}' value contains itself`);
    this.#open.add(target);
    this.value(target, { ...depth, aliases: depth.aliases + 1 });
    this.#open.delete(target);
  }

  #pair(pair: unknown, depth: Depth): void {
    if (!isPair(pair)) return;
    this.value(pair.key, depth);
    this.value(pair.value, depth);
  }

  #scalar(value: unknown): void {
    if (typeof value === 'string') this.#characters += value.length;
    if (this.#characters > MAX_CHARACTERS) throw new AliasProblem('document contains excessive aliasing');
  }
}

/** How large a part of so many values may come from aliases: the more there are, the smaller. */
function allowedRatio(values: number): number {
  const [few, many] = [400_000, 4_000_000];
  if (values <= few) return 0.99;
  return values >= many ? 0.1 : 0.99 - (0.89 * (values - few)) / (many - few);
}

function hasAlias(document: Document): boolean {
  let found = false;
  visit(document, {
    Alias: () => {
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}
