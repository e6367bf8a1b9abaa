import { isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLError } from 'yaml';
import { type Place, type Problem, problemAt, type SourceFile } from './source.ts';
import { type Entry, mapOf, type Tree } from './tree.ts';

/** What a file says, and everything in it that is no YAML, or more than JSON can say. */
export interface Parsed {
  readonly tree: Tree | undefined;
  readonly problems: readonly Problem[];
}

/** Reads YAML 1.2, of which JSON is a part: `on`, `yes` and `no` are texts. */
export function parseYaml(file: SourceFile): Parsed {
  const document = parseDocument(file.text, { uniqueKeys: false, prettyErrors: false });
  const placeAt = placesIn(file);
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0) return { tree: undefined, problems: errors.map((error) => yamlProblem(error, placeAt)) };
  return new Reader(placeAt).read(document.contents);
}

/** By offset. The library's own counter misses lines in files that it cannot read to their end. */
function placesIn({ path, text }: SourceFile): (offset: number) => Place {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    const before = ends.filter((end) => end < offset);
    return { file: path, line: before.length + 1, column: offset - (before.at(-1) ?? -1) };
  };
}

function yamlProblem(error: YAMLError, placeAt: (offset: number) => Place): Problem {
  return problemAt(placeAt(error.pos[0]), `This is not valid YAML: ${error.message.replace(/\.?$/, '.')}`);
}

class Reader {
  readonly #problems: Problem[] = [];
  readonly #placeAt: (offset: number) => Place;

  constructor(placeAt: (offset: number) => Place) {
    this.#placeAt = placeAt;
  }

  read(contents: Node | null): Parsed {
    const start = this.#placeAt(0);
    if (contents === null || (isScalar(contents) && contents.value === null)) {
      return { tree: undefined, problems: [problemAt(start, 'The file is empty.')] };
    }
    const tree = this.#tree(contents, start);
    return this.#problems.length > 0 ? { tree: undefined, problems: this.#problems } : { tree, problems: [] };
  }

  #tree(node: unknown, above: Place): Tree {
    const at = this.#place(node, above);
    if (isMap(node)) return this.#map(node.items, at);
    if (isSeq(node)) return { is: 'list', items: node.items.map((item) => this.#tree(item, at)), at };
    return { is: 'value', value: this.#value(node, at), at };
  }

  #map(pairs: readonly Pair[], at: Place): Tree {
    const entries = new Map<string, Entry>();
    for (const { key, value } of pairs) {
      const keyAt = this.#place(key, at);
      const name = this.#key(key, keyAt);
      const first = entries.get(name);
      if (first) this.#say(keyAt, `"${name}" is here twice, first in line ${first.at.line}; a name may be used once.`);
      else entries.set(name, { at: keyAt, tree: this.#tree(value, keyAt) });
    }
    return mapOf(entries, at);
  }

  #key(key: unknown, at: Place): string {
    if (isScalar(key) && key.value !== null && typeof key.value !== 'object') return key.source ?? String(key.value);
    this.#say(at, 'A key must be a text.');
    return '';
  }

  #value(node: unknown, at: Place): string | number | boolean | null {
    const value = isScalar(node) ? node.value : undefined;
    if (node === null || value === null) return null;
    if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value as string;
    this.#say(at, 'Only texts, numbers, true and false can be used here; write values out where an alias stands.');
    return null;
  }

  #place(node: unknown, above: Place): Place {
    const offset = (node as Node | null)?.range?.[0];
    return offset === undefined ? above : this.#placeAt(offset);
  }

  #say(at: Place, message: string): void {
    this.#problems.push(problemAt(at, message));
  }
}
