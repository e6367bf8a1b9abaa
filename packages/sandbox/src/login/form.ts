/** A form of a page, as a browser would send it if nobody changed anything. */
export interface Form {
  readonly action: string;
  readonly method: 'get' | 'post';
  /** Names and values of fields; unchecked boxes and buttons are left out. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Everything that has a name, in its order. */
  readonly names: readonly string[];
}

/** Reads the forms of a page. Made for pages of Klutch and of common issuers, not for all that HTML permits. */
export function formsOf(html: string): readonly Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, tag = '', body = '']) => {
    const attributes = attributesOf(tag);
    const controls = [...body.matchAll(/<(input|button|textarea|select)\b([^>]*)>/gi)].map(
      ([, kind = '', rest = '']) => ({
        kind: kind.toLowerCase(),
        attributes: attributesOf(rest),
      }),
    );
    const named = controls.filter(({ attributes }) => attributes.get('name'));
    return {
      action: attributes.get('action') ?? '',
      method: attributes.get('method')?.toLowerCase() === 'post' ? 'post' : 'get',
      fields: named
        .filter(({ kind, attributes }) => kind === 'input' && isSent(attributes))
        .map(
          ({ attributes }) => [attributes.get('name') ?? '', attributes.get('value') ?? valueOf(attributes)] as const,
        ),
      names: named.map(({ attributes }) => attributes.get('name') ?? ''),
    };
  });
}

function isSent(attributes: ReadonlyMap<string, string>): boolean {
  const type = attributes.get('type')?.toLowerCase() ?? 'text';
  if (type === 'checkbox' || type === 'radio') return attributes.has('checked') && !attributes.has('disabled');
  return type !== 'submit' && type !== 'button' && type !== 'reset' && !attributes.has('disabled');
}

/** What a field without a value sends. */
function valueOf(attributes: ReadonlyMap<string, string>): string {
  return ['checkbox', 'radio'].includes(attributes.get('type') ?? '') ? 'on' : '';
}

function attributesOf(tag: string): ReadonlyMap<string, string> {
  const found = tag.matchAll(/([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g);
  return new Map([...found].map(([, name = '', a, b, c]) => [name.toLowerCase(), unescape(a ?? b ?? c ?? '')]));
}

function unescape(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replaceAll(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return named[name ?? ''] ?? whole;
    },
  );
}
