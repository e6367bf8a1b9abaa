import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonSyntaxProblem } from './json-syntax.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';

/** Levels of nine aliases each of the level before. */
const multiplied = (levels: number) =>
  Array.from({ length: levels }, (_, at) => `a${at}: &a${at} [${`${at === 0 ? 1 : `*a${at - 1}`},`.repeat(9)}]\n`).join(
    '',
  );

/** A list of 150 levels, at whose bottom is the one before. */
const deepened = (times: number) =>
  Array.from({ length: times }, (_, at) => {
    const bottom = at === 0 ? '1' : `*a${at - 1}`;
    return `a${at}: &a${at} ${'['.repeat(150)}${bottom}${']'.repeat(150)}\n`;
  }).join('');

describe('jsonSyntaxProblem', () => {
  it.each([
    ['', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['"a', 'unexpected end of JSON input'],
    ['-', 'unexpected end of JSON input'],
    ['hello', "invalid character 'h' looking for beginning of value"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{} x', "invalid character 'x' after top-level value"],
    ["['a']", String.raw`invalid character '\'' looking for beginning of value`],
    ['"a\nb"', String.raw`invalid character '\n' in string literal`],
    [String.raw`"\x"`, "invalid character 'x' in string escape code"],
    [String.raw`"\u12g4"`, String.raw`invalid character 'g' in \u hexadecimal character escape`],
    ['-a', "invalid character 'a' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e+x', "invalid character 'x' in exponent of numeric literal"],
    ['trve', "invalid character 'v' in literal true (expecting 'u')"],
    ['01', "invalid character '1' after top-level value"],
  ])('says what is wrong with %j', (text, problem) => {
    expect(jsonSyntaxProblem(text)).toBe(problem);
  });

  it('agrees with the parser about what is JSON', () => {
    const almostJson = fc
      .json()
      .chain((text) =>
        fc.tuple(
          fc.constant(text),
          fc.nat(text.length),
          fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '1', 'a', ' '),
        ),
      );
    fc.assert(
      fc.property(almostJson, ([text, at, inserted]) => {
        const changed = text.slice(0, at) + inserted + text.slice(at);
        expect(jsonSyntaxProblem(changed) === undefined).toBe(isJson(changed));
      }),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('parseJson', () => {
  it('gives the value and what occurs twice', () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ value: { a: 2 }, duplicates: ['duplicate field "a"'] });
  });

  it('refuses what is nested without end', () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);

    expect(parseJson(deep)).toEqual({ problem: "invalid character '[' exceeded max depth" });
  });
});

describe('parseYaml', () => {
  it.each([
    ['a: 1', { a: 1 }],
    ['{"a": 1}', { a: 1 }],
    ['{a: 1}', { a: 1 }],
    ['', null],
    ['# nothing', null],
    ['a: 1\n---\nb: 2', { a: 1 }],
    ['a: yes\nb: off', { a: true, b: false }],
    ['a: 010\nb: 0x1f\nc: 1_000', { a: 8, b: 31, c: 1000 }],
    ['a: 12:30\nb: 2001-01-01', { a: '12:30', b: '2001-01-01' }],
    ['a: |\n  one\n  two\n', { a: 'one\ntwo\n' }],
    ['a: &x {b: 1}\nc: *x', { a: { b: 1 }, c: { b: 1 } }],
  ])('reads %j', (text, value) => {
    expect(parseYaml(text)).toEqual({ value, duplicates: [] });
  });

  it.each([
    ['metadata: [', 'yaml: line 1: did not find expected node content'],
    ['a: [1', "yaml: line 1: did not find expected ',' or ']'"],
    ['a: {b', "yaml: line 1: did not find expected ',' or '}'"],
    ['a:\n  b: [\n', 'yaml: line 2: did not find expected node content'],
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['a: 1\n b: 2', 'yaml: line 2: mapping values are not allowed in this context'],
    ['a: "x', 'yaml: found unexpected end of stream'],
    ['a:\n\tb: 1', 'yaml: line 2: found character that cannot start any token'],
    ['a: @x', 'yaml: found character that cannot start any token'],
    ['a: *x', "yaml: unknown anchor 'x' referenced"],
    ['a: &x [*x]', "yaml: anchor 'x' value contains itself"],
    ['x: ]', 'yaml: did not find expected node content'],
  ])('says what is wrong with %j', (text, problem) => {
    expect(parseYaml(text)).toEqual({ problem });
  });

  it.each([
    ['lists of lists of lists', multiplied(9), 'yaml: document contains excessive aliasing'],
    [
      'long texts',
      `a: &x ${'x'.repeat(1_000_000)}\nb: [${'*x,'.repeat(80)}]`,
      'yaml: document contains excessive aliasing',
    ],
    ['what is deep', deepened(3), 'yaml: exceeded max depth of 300'],
  ])('refuses aliases that stand for too much, at once: %s', (_, text, problem) => {
    expect(parseYaml(text)).toEqual({ problem });
  });

  it('gives each alias a value of its own', () => {
    const parsed = parseYaml('a: &x {z: [1]}\nb: *x');
    const { a, b } = ('value' in parsed ? parsed.value : {}) as Record<string, { z: number[] }>;
    b?.z.push(2);
    expect([a, b]).toEqual([{ z: [1] }, { z: [1, 2] }]);
  });

  it.each([
    ['lists', '['.repeat(1_000), 'yaml: exceeded max depth of 300'],
    ['dashes', '- '.repeat(1_000), 'yaml: exceeded max depth of 300'],
    ['maps', '{a: '.repeat(1_000), 'yaml: exceeded max depth of 300'],
    [
      'lines',
      Array.from({ length: 1_000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
      'yaml: exceeded max depth of 300',
    ],
    ['a later document', `a: 1\n---\n${'['.repeat(1_000)}`, 'yaml: exceeded max depth of 300'],
    ['keys', '? '.repeat(1_000), 'yaml: invalid map key'],
    ['keys of maps', '{a: 1}: 2', 'yaml: invalid map key'],
  ])('refuses what is nested without end, at once: %s', (_, text, problem) => {
    expect(parseYaml(text)).toEqual({ problem });
  });

  it('finds keys that occur twice', () => {
    expect(parseYaml('a:\n  b: 1\n  b: 2\na: 3')).toEqual({
      value: { a: 3 },
      duplicates: [
        'yaml: unmarshal errors:\n  line 4: key "a" already set in map\n  line 3: key "b" already set in map',
      ],
    });
  });
});
