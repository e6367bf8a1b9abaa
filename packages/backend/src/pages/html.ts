/** Text that may be put into a page as it is. Only {@link html} makes it. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What can stand in a page; everything but `Html` is escaped, `undefined` and `false` are nothing. */
export type HtmlValue = Html | string | number | undefined | false | readonly HtmlValue[];

/** Markup with values in it, in text or between quotes of an attribute. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.reduce((text, part, index) => `${text}${rendered(values[index - 1])}${part}`));
}

function rendered(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(rendered).join('');
  return escaped(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '');
}
