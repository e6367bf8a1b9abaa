import { Composer, type Document, isMap, isScalar, LineCounter, Parser, type Tags, visit, type YAMLError } from 'yaml';
import { withExactIntegers } from './exact-integers.ts';
import { type Parsed, parseJson } from './parse-json.ts';
import { yamlAliasProblem } from './yaml-aliases.ts';
import { yamlShapeProblem } from './yaml-shape.ts';

/**
 * Parses the first document of a YAML text, as YAML 1.1 which Kubernetes speaks; JSON is YAML too. Problems are in the
 * words of Go as far as they can be foreseen.
 */
export function parseYaml(text: string): Parsed {
  if (text.trimStart().startsWith('{')) {
    const parsed = parseJson(text);
    if ('value' in parsed) return parsed;
  }
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const shapeProblem = tokens.map(yamlShapeProblem).find((problem) => problem !== undefined);
  if (shapeProblem !== undefined) return { problem: `yaml: ${shapeProblem}` };
  const composer = new Composer({
    version: '1.1',
    customTags: withoutTimes,
    uniqueKeys: false,
    intAsBigInt: true,
    prettyErrors: false,
    lineCounter: lines,
  });
  const [document] = [...composer.compose(tokens)];
  if (!document) return { value: null, duplicates: [] };
  // Of two errors about one mistake, this one knows where it ends.
  const error = document.errors.find(({ code }) => code === 'MULTILINE_IMPLICIT_KEY') ?? document.errors[0];
  if (error) return { problem: `yaml: ${problemOf(error, text, lines)}` };
  const aliasProblem = yamlAliasProblem(document);
  if (aliasProblem !== undefined) return { problem: `yaml: ${aliasProblem}` };
  // What aliases stand for has been counted.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  // The copy also unties aliases, which share what they stand for and is going to be changed in place.
  return { value: withExactIntegers(value), duplicates: repeatedKeys(document, lines) };
}

/** Times and sexagesimal numbers stay text: JSON has neither. */
function withoutTimes(tags: Tags): Tags {
  const unwanted = new Set(['TIME', 'timestamp', 'intTime', 'floatTime']);
  return tags.filter((tag) =>
    typeof tag === 'string' ? !unwanted.has(tag) : tag.format !== 'TIME' && !tag.tag.endsWith(':timestamp'),
  );
}

/** One problem for all keys that occur twice, as Go's decoder reports them. */
function repeatedKeys(document: Document, lines: LineCounter): readonly string[] {
  const found: string[] = [];
  visit(document, {
    Map: (_, map) => {
      if (!isMap(map)) return;
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? key.value : key;
        const at = isScalar(key) ? lines.linePos(key.range?.[0] ?? 0).line : 0;
        if (seen.has(name)) found.push(`  line ${at}: key ${textOfKey(name)} already set in map`);
        seen.add(name);
      }
    },
  });
  return found.length === 0 ? [] : [`yaml: unmarshal errors:\n${found.join('\n')}`];
}

const textOfKey = (key: unknown) => (typeof key === 'bigint' ? String(key) : JSON.stringify(key));

const badToken = 'found character that cannot start any token';
const noNode = 'did not find expected node content';
const badMapping = 'mapping values are not allowed in this context';

const problems: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  BAD_SCALAR_START: badToken,
  TAB_AS_INDENT: badToken,
  BLOCK_AS_IMPLICIT_KEY: badMapping,
  MULTILINE_IMPLICIT_KEY: badMapping,
};

function problemOf({ code, pos, message }: YAMLError, text: string, lines: LineCounter): string {
  const line = lines.linePos(pos[code === 'BLOCK_AS_IMPLICIT_KEY' || code === 'MULTILINE_IMPLICIT_KEY' ? 1 : 0]).line;
  const known = problems[code];
  // Go counts lines from 0 while it reads words and shows none for the first.
  if (known !== undefined) return `${line > 1 ? `line ${line}: ` : ''}${known}`;
  if (message.includes('quote')) return `${line > 1 ? `line ${line}: ` : ''}found unexpected end of stream`;
  if (!message.includes('end with')) return noNode;
  const before = text.slice(0, pos[0]).trimEnd();
  const close = message.includes(']') ? ']' : '}';
  const missing = '[{,:'.includes(before.at(-1) ?? '') ? noNode : `did not find expected ',' or '${close}'`;
  return `line ${lines.linePos(before.length).line}: ${missing}`;
}
