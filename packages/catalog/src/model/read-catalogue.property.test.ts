import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryLayer, damaged, written } from './arbitrary-layer.ts';
import type { Json } from './catalogue.ts';
import { defaultLayer } from '../default-layer.ts';
import type { SourceFile } from './files/source.ts';
import { readCatalogue } from './read-catalogue.ts';

const shipped = await defaultLayer();

/** Whatever is wrong is said about a place that exists; a catalogue comes only without problems. */
function expectSoundReading(layers: readonly (readonly SourceFile[])[]): void {
  const { catalogue, problems } = readCatalogue(layers);
  expect(catalogue === undefined).toBe(problems.length > 0);
  for (const { file, line, column, message } of problems) {
    const lines = layers
      .flat()
      .find(({ path }) => path === file)
      ?.text.split('\n');
    expect(lines?.[line - 1]?.length, `${file}:${line}:${column}`).toBeGreaterThanOrEqual(column - 1);
    expect(message).toMatch(/^\S.*[.?]$/s);
  }
}

describe('reading', () => {
  it('finds nothing wrong with valid files', () => {
    fc.assert(
      fc.property(arbitraryLayer, (layer) => {
        expect(readCatalogue([written(layer)]).problems).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('does not depend on how a file is split into layers', () => {
    fc.assert(
      fc.property(arbitraryLayer, fc.nat(), (layer, at) => {
        const later = Object.entries(layer).map(([path, content]) => {
          const keys = Object.entries(content);
          return [path, Object.fromEntries(keys.slice(at % keys.length))] as const;
        });
        const once = readCatalogue([written(layer)]);
        expect(readCatalogue([written(layer), written(Object.fromEntries(later))])).toEqual(once);
      }),
      { numRuns: 50 },
    );
  });

  it('never fails on files in which a value is lost or another, and says where what is wrong', () => {
    const value = fc.oneof(
      fc.constant(undefined),
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('vm', 'a-', '..', '{service}'),
    );
    fc.assert(
      fc.property(arbitraryLayer, fc.nat(), fc.nat(), value, (layer, file, at, by) => {
        const paths = Object.keys(layer);
        const path = paths[file % paths.length] ?? '';
        const damage = damaged(layer[path] ?? {}, at, by as Json | undefined);
        expectSoundReading([written({ ...layer, [path]: damage as never })]);
      }),
      { numRuns: 300 },
    );
  });

  it('never fails on shipped files in which some text is lost or another, and says where what is wrong', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.constantFrom('{', '}', '\n', ': ', '- ', '&a ', '*a', '!!', '"', "'", '#'),
    );
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(20), piece, (file, at, length, text) => {
        const chosen = shipped[file % shipped.length];
        const layer = shipped.map((source) => {
          const start = at % source.text.length;
          if (source !== chosen) return source;
          return { ...source, text: source.text.slice(0, start) + text + source.text.slice(start + length) };
        });
        expectSoundReading([layer]);
      }),
      { numRuns: 60 },
    );
  });
});
