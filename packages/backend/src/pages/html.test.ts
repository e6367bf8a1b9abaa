import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from './html.ts';

describe('markup with values in it', () => {
  it('escapes texts, keeps markup, joins lists, and leaves out nothing', () => {
    const name = `<b>"x" & 'y'</b>`;

    expect(String(html`<p title="${name}">${name}</p>`)).toBe(
      '<p title="&lt;b&gt;&quot;x&quot; &amp; &#39;y&#39;&lt;/b&gt;">&lt;b&gt;&quot;x&quot; &amp; &#39;y&#39;&lt;/b&gt;</p>',
    );
    expect(String(html`${[html`<i>${1}</i>`, ['<', undefined]]}${false}${0}`)).toBe('<i>1</i>&lt;0');
  });

  it('S-20 never lets a value end its text or attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', ';', '/') }), (value) => {
        const text = String(html`${value}`);
        expect(text).not.toMatch(/[<>"']/);
        expect(
          text
            .replaceAll('&lt;', '<')
            .replaceAll('&gt;', '>')
            .replaceAll('&quot;', '"')
            .replaceAll('&#39;', "'")
            .replaceAll('&amp;', '&'),
        ).toBe(value);
      }),
    );
  });
});
