/** Where a field lies within an object: the keys that lead to it. */
export type FieldPath = readonly string[];

/**
 * Reads a JSON path of plain keys, such as `.data.password` or `data['tls.crt']`. Undefined for anything that could
 * name more than one field, and for `metadata` and `status`, which have rules of their own.
 */
export function parseFieldPath(text: string): FieldPath | undefined {
  const keys: string[] = [];
  let rest = text.trim().replace(/^\$/, '');
  while (rest !== '') {
    const match = step.exec(rest) ?? (keys.length === 0 ? bareStart.exec(rest) : null);
    if (match === null) return undefined;
    keys.push(match[1] ?? match[2] ?? match[3] ?? '');
    rest = rest.slice(match[0].length);
  }
  const [first] = keys;
  return first === undefined || ownRules.has(first) ? undefined : keys;
}

/** The field of `target` as `source` has it: set, or removed where `source` lacks it. Neither argument changes. */
export function withFieldOf(target: Fields, source: Fields, path: FieldPath): Fields {
  const [key, ...rest] = path;
  if (key === undefined) return target;
  const value = source[key];
  if (rest.length === 0) return value === undefined ? without(target, key) : { ...target, [key]: value };
  const inner = withFieldOf(fieldsOf(target[key]), fieldsOf(value), rest);
  const isMade = target[key] === undefined && Object.keys(inner).length === 0;
  return isMade ? target : { ...target, [key]: inner };
}

export type Fields = Readonly<Record<string, unknown>>;

const step = /^(?:\.([A-Za-z0-9_-]+)|\['([^']+)'\]|\["([^"]+)"\])/;
const bareStart = /^([A-Za-z0-9_-]+)/;
const ownRules: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function without(fields: Fields, key: string): Fields {
  const { [key]: _, ...others } = fields;
  return others;
}
