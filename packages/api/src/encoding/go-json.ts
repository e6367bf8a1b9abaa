/**
 * One field of a Go struct: its JSON name, whether its zero value is left out (`omitempty`), and how its value is
 * written when that is itself a Go type rather than plain JSON.
 */
export interface GoField {
  readonly name: string;
  /** `zero`: absent for null, false, 0, "", [] and {} (a Go value). `nil`: absent only for null (a Go pointer). */
  readonly omit?: 'zero' | 'nil';
  /** Written when the value is missing; only for fields that are never left out. */
  readonly whenMissing?: unknown;
  readonly encode?: (value: unknown) => string;
}

/**
 * Writes an object as Go's `encoding/json` writes a struct: fields in declared order. Fields Go does not know follow,
 * sorted, so that they still count in a digest.
 */
export function encodeStruct(fields: readonly GoField[], value: unknown): string {
  const object = isObject(value) ? value : {};
  const known = fields.flatMap((field) => encodeField(field, object[field.name]));
  const names = new Set(fields.map((field) => field.name));
  const unknown = Object.keys(object)
    .filter((name) => !names.has(name) && object[name] !== undefined)
    .sort(byUtf8)
    .map((name) => `${encodeText(name)}:${encodeRaw(object[name])}`);
  return `{${[...known, ...unknown].join(',')}}`;
}

/** Writes an object as Go writes a map: keys sorted. */
export function encodeMap(value: unknown, encodeValue: (value: unknown) => string): string {
  if (!isObject(value)) return 'null';
  const entries = Object.keys(value)
    .sort(byUtf8)
    .map((key) => `${encodeText(key)}:${encodeValue(value[key])}`);
  return `{${entries.join(',')}}`;
}

export function encodeList(value: unknown, encodeItem: (value: unknown) => string): string {
  return Array.isArray(value) ? `[${value.map(encodeItem).join(',')}]` : 'null';
}

/** Writes a JSON value that Go carries unparsed, hence with its keys in the order in which they came. */
export function encodeRaw(value: unknown): string {
  return escapeForHtml(JSON.stringify(value ?? null));
}

function encodeText(text: string): string {
  return escapeForHtml(JSON.stringify(text));
}

function encodeField(field: GoField, value: unknown): string[] {
  const present = value ?? undefined;
  if (field.omit === 'nil' && present === undefined) return [];
  if (field.omit === 'zero' && isZero(present)) return [];
  const encode = field.encode ?? encodeRaw;
  return [`${encodeText(field.name)}:${encode(present ?? field.whenMissing)}`];
}

function isZero(value: unknown): boolean {
  if (value === undefined || value === false || value === 0 || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** Go escapes these, also inside unparsed JSON, where they can only occur within strings. */
function escapeForHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Go sorts keys by their bytes, which differs from JavaScript's order beyond the basic plane. */
function byUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
