import { type Document, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, visit } from 'yaml';
import { KubeError } from '../errors/kube-error.ts';

/** Keys and list positions that lead from the root of a document to a value. */
export type Path = readonly (string | number)[];

/** YAML read into plain values, which still knows on which line each of them was written. */
export interface YamlText {
  /** Where the text came from, for messages. */
  readonly source: string;
  readonly value: unknown;
  /** Line of the value at `path`, or of the closest value around it when there is none there. */
  lineOf(path: Path): number;
}

/** A kubeconfig has no use for aliases; more than this is an attempt to exhaust memory. */
const MAX_ALIASES = 100;

/**
 * Reads one YAML document. Throws `KUBE_CONFIG_UNREADABLE` naming `source` and line. Messages are our own: those of the
 * YAML parser quote the text, which holds credentials.
 */
export function readYaml(text: string, source: string): YamlText {
  const lines = new LineCounter();
  const failAt = (offset: number, problem: string): KubeError =>
    new KubeError('KUBE_CONFIG_UNREADABLE', `${source}, line ${lines.linePos(offset).line}: ${problem}`);
  try {
    const document = onlyDocument(text, lines, failAt);
    if (document === undefined) return { source, value: undefined, lineOf: () => 1 };
    refuseRepeatedKeys(document, failAt);
    refuseWildAliases(document, failAt);
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { source, value, lineOf: (path) => lines.linePos(offsetOf(document, path)).line };
  } catch (error) {
    if (error instanceof ReferenceError) throw failAt(0, 'Its YAML aliases (*name) multiply. Write the values out.');
    if (error instanceof RangeError) throw failAt(0, 'It is nested too deeply to be a kubeconfig.');
    throw error;
  }
}

type FailAt = (offset: number, problem: string) => KubeError;

function onlyDocument(text: string, lines: LineCounter, failAt: FailAt): Document.Parsed | undefined {
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
    stringKeys: true,
    // The parser compares every key with every other; `refuseRepeatedKeys` does it in linear time.
    uniqueKeys: false,
    // Tags such as !!binary would turn text into other things.
    resolveKnownTags: false,
    // Go's YAML knows merge keys (<<), so kubeconfigs may use them.
    merge: true,
  });
  if (!Array.isArray(documents)) return undefined;
  for (const { errors } of documents) {
    const first = errors[0];
    if (first) throw failAt(first.pos[0], `Not valid YAML: ${yamlProblems[first.code] ?? otherYamlProblem}`);
  }
  const [document, ...others] = documents;
  const extra = others.find((other) => other.contents !== null && other.toJS() !== null);
  if (extra) throw failAt(extra.range[0], 'A second YAML document begins here. Keep one per file.');
  return document;
}

const otherYamlProblem =
  'the text breaks off or is indented in a way that has no meaning. Compare it with its neighbours.';

const yamlProblems: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'a tab is used for indentation. Use spaces.',
  BAD_INDENT: 'the indentation does not match the lines around it.',
  BAD_ALIAS: 'an alias (*name) is not written correctly.',
  BAD_DQ_ESCAPE: 'a quoted text holds an unknown escape sequence. Write a backslash as \\\\ or use single quotes.',
  BAD_SCALAR_START: 'a value begins with a character that is reserved. Put the value in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'a value that spans lines or holds ": " needs quotes.',
  MISSING_CHAR: 'a quote, bracket, colon or comma is missing, here or further up.',
  MULTILINE_IMPLICIT_KEY: 'a colon is missing after a key.',
  NON_STRING_KEY: 'a key is not plain text.',
  RESOURCE_EXHAUSTION: 'it is nested too deeply to be a kubeconfig.',
};

function refuseRepeatedKeys(document: Document.Parsed, failAt: FailAt): void {
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? key.value : key;
        if (seen.has(name)) throw failAt(startOf(key) ?? 0, `The key "${String(name)}" is given twice. Remove one.`);
        seen.add(name);
      }
    },
  });
}

function refuseWildAliases(document: Document.Parsed, failAt: FailAt): void {
  let aliases = 0;
  visit(document, {
    Alias: (_, alias, ancestors) => {
      aliases += 1;
      if (aliases > MAX_ALIASES)
        throw failAt(startOf(alias) ?? 0, 'It uses too many YAML aliases. Write the values out.');
      const target = alias.resolve(document);
      if (target === undefined)
        throw failAt(startOf(alias) ?? 0, 'A YAML alias (*name) has no anchor (&name) before it.');
      if (ancestors.includes(target))
        throw failAt(startOf(alias) ?? 0, 'A YAML alias (*name) stands inside its own anchor.');
    },
  });
}

function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const step of path) {
    const found = childOf(node, step);
    if (found === undefined) return offset;
    offset = startOf(found.label) ?? offset;
    node = found.value;
  }
  return offset;
}

/** The value one step down, and the node whose line a reader would call the line of that value. */
function childOf(node: unknown, step: string | number): { label: unknown; value: unknown } | undefined {
  if (isSeq(node) && typeof step === 'number' && node.items[step] !== undefined) {
    return { label: node.items[step], value: node.items[step] };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
  return pair && { label: pair.key, value: pair.value };
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  return Array.isArray(node.range) && typeof node.range[0] === 'number' ? node.range[0] : undefined;
}
