import { childPath, keyPath } from './field-path.ts';
import { buildNode, type Node } from './node.ts';

/** A path of a schema, and what it leads to. */
export interface FoundField {
  /** As field errors write it. */
  readonly path: string;
  readonly node: Node;
}

/** Says why a text is not a path. */
export class FieldPathError extends Error {
  override readonly name = 'FieldPathError';
}

const ANYTHING = buildNode({});

const TOKEN = /'(?:\\.|[^'\\])*'|[.[\]]|[^.[\]]+/gs;

/**
 * Reads a path such as `.spec.size` or `.labels['app']` and follows it through a schema. Without `allowBrackets`, only
 * dots may separate names.
 */
export function findField(text: string, root: Node, allowBrackets = true): FoundField {
  const tokens = text.match(TOKEN) ?? [];
  let found: FoundField = { path: '', node: root };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === '.') {
      found = step(found, required(tokens[++at]));
    } else if (token === '[') {
      if (!allowBrackets) throw new FieldPathError('array notation is not allowed');
      found = step(found, unquoted(required(tokens[++at])));
      const close = required(tokens[++at]);
      if (close !== ']') throw new FieldPathError(`expected ] but got ${close}`);
    } else {
      throw new FieldPathError(`expected [ or . but got: ${token}`);
    }
  }
  return found;
}

/** Whether a text is a path of a schema. */
export function isFieldPath(text: string, root: Node): boolean {
  try {
    findField(text, root);
    return true;
  } catch (error) {
    if (error instanceof FieldPathError) return false;
    throw error;
  }
}

function required(token: string | undefined): string {
  if (token === undefined) throw new FieldPathError('unexpected end of JSON path');
  return token;
}

function step({ path, node }: FoundField, name: string): FoundField {
  if (node.properties) {
    const property = node.properties.get(name);
    if (!property) throw new FieldPathError('does not refer to a valid field');
    return { path: childPath(path, name), node: property };
  }
  if (!node.hasAdditional) throw new FieldPathError('does not refer to a valid field');
  return { path: keyPath(path, name), node: node.additional ?? ANYTHING };
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

function unquoted(token: string): string {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    throw new FieldPathError(`expected single quoted string but got ${token}`);
  }
  return token.slice(1, -1).replace(/\\(.)/gs, (whole, char: string) => {
    const plain = ESCAPES[char];
    if (plain === undefined) throw new FieldPathError(`invalid string literal: invalid escape char ${whole}`);
    return plain;
  });
}
