import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFieldPath, withFieldOf } from './field-path.ts';

describe('a path to a field', () => {
  const rows: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['data', ['data']],
    ['.data.password', ['data', 'password']],
    ['$.data.password', ['data', 'password']],
    ["data['tls.crt']", ['data', 'tls.crt']],
    ['data["tls.crt"]', ['data', 'tls.crt']],
    ["['data'].x", ['data', 'x']],
    ['data[*]', undefined],
    ['data[0]', undefined],
    ['data..x', undefined],
    ['..data', undefined],
    ['data.', undefined],
    ['', undefined],
    ['metadata.labels', undefined],
    ['.status', undefined],
    ['kind', undefined],
  ];
  it.each(rows)('%s', (text, path) => {
    expect(parseFieldPath(text)).toEqual(path);
  });
});

describe('taking a field over', () => {
  it('sets it, with what lies on the way', () => {
    expect(withFieldOf({ type: 'a' }, { data: { x: 1, y: 2 } }, ['data', 'x'])).toEqual({ type: 'a', data: { x: 1 } });
  });

  it('removes it where the source has none, and makes nothing on the way', () => {
    expect(withFieldOf({ data: { x: 1, y: 2 } }, { data: {} }, ['data', 'x'])).toEqual({ data: { y: 2 } });
    expect(withFieldOf({ type: 'a' }, {}, ['data', 'x'])).toEqual({ type: 'a' });
  });

  it('changes nothing else, and neither argument', () => {
    const fields = fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.dictionary(fc.constantFrom('x', 'y'), fc.integer()),
    );
    fc.assert(
      fc.property(
        fields,
        fields,
        fc.constantFrom('a', 'b', 'c'),
        fc.constantFrom('x', 'y'),
        (target, source, key, inner) => {
          const before = JSON.stringify([target, source]);
          const result = withFieldOf(target, source, [key, inner]) as typeof target;
          expect(result[key]?.[inner]).toBe(source[key]?.[inner]);
          for (const other of ['a', 'b', 'c'].filter((one) => one !== key))
            expect(result[other]).toEqual(target[other]);
          expect(JSON.stringify([target, source])).toBe(before);
        },
      ),
    );
  });
});
