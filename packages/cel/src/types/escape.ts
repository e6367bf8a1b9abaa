/** Names of fields as identifiers of CEL: what is not allowed there is written out. */

const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const WRITTEN_OUT: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};
const READ_BACK: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

export const isReserved = (name: string) => RESERVED.has(name);

/** The identifier for a field; undefined when the name has none, so that rules cannot reach the field. */
export function escapeField(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (part) => WRITTEN_OUT[part] ?? part);
}

/** The field for an identifier; undefined when no field has it. */
export function unescapeField(identifier: string): string | undefined {
  if (!identifier.includes('__')) return identifier;
  let isWrong = false;
  const name = identifier.replace(/__([^_]+)__/g, (whole, inner: string) => {
    if (RESERVED.has(inner) && whole === identifier) return inner;
    isWrong ||= !Object.hasOwn(READ_BACK, inner);
    return READ_BACK[inner] ?? '';
  });
  return isWrong ? undefined : name;
}
