import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { StatusError } from '../status/status-error.ts';
import { parseLabelSelector } from './parse-label-selector.ts';

const OBJECTS = {
  c0: { a: '0', p: 'even' },
  c1: { a: '1', p: 'even' },
  c2: { a: '2', p: 'even' },
  c3: { a: '3', p: 'odd' },
  bare: undefined,
} as const;

const selected = (selector: string) => {
  const parsed = parseLabelSelector(selector);
  return Object.entries(OBJECTS)
    .filter(([, labels]) => parsed.matches(labels))
    .map(([name]) => name)
    .join(' ');
};

function refusal(selector: string): StatusError {
  try {
    parseLabelSelector(selector);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error(`${selector} was accepted`);
}

describe('a label selector', () => {
  it.each([
    ['', 'c0 c1 c2 c3 bare'],
    [' ', 'c0 c1 c2 c3 bare'],
    ['a', 'c0 c1 c2 c3'],
    ['!a', 'bare'],
    ['a=1', 'c1'],
    ['a==1', 'c1'],
    ['a!=1', 'c0 c2 c3 bare'],
    ['a in (1,2)', 'c1 c2'],
    ['a notin (1,2)', 'c0 c3 bare'],
    ['a>1', 'c2 c3'],
    ['a<1', 'c0'],
    ['p>1', ''],
    ['a in ()', ''],
    ['a notin ()', 'c0 c1 c2 c3 bare'],
    ['a in (,)', ''],
    ['a in (1,)', 'c1'],
    ['a=', ''],
    ['a!=', 'c0 c1 c2 c3 bare'],
    ['a\nin\t(1)', 'c1'],
    ['a= 1 ,p = even', 'c1'],
    ['p=even,a>0', 'c1 c2'],
    ['in', ''],
    ['notin notin (notin)', 'c0 c1 c2 c3 bare'],
    ['in in (in),notin=in', ''],
    ['!in,!notin,p', 'c0 c1 c2 c3'],
    ['a,!b,a!=0,a!=3', 'c1 c2'],
  ])('%j selects %j', (selector, names) => {
    expect(selected(selector)).toBe(names);
  });

  it('does not take what every JavaScript object has for a label', () => {
    expect(parseLabelSelector('toString').matches({ a: '1' })).toBe(false);
    expect(parseLabelSelector('!constructor').matches({ a: '1' })).toBe(true);
  });

  it('compares numbers beyond what doubles tell apart', () => {
    const selector = parseLabelSelector('a>9007199254740992');

    expect(selector.matches({ a: '9007199254740993' })).toBe(true);
    expect(selector.matches({ a: '9007199254740992' })).toBe(false);
    expect(selector.matches({ a: '9223372036854775808' })).toBe(false);
  });

  it('can be written again', () => {
    expect(parseLabelSelector('b in (y,x), !c ,a==1,d>2,e!=f,g,h notin(z),i<3').toString()).toBe(
      'a==1,b in (x,y),!c,d>2,e!=f,g,h notin (z),i<3',
    );
  });

  it('selects the same after it was written again', () => {
    const word = fc.constantFrom('a', 'b', 'in', 'x.y/z', '1', '20');
    const one = fc.oneof(
      word,
      word.map((key) => `!${key}`),
      fc.tuple(word, fc.constantFrom('=', '==', '!=')).map(([key, operator]) => `${key}${operator}1`),
      fc.tuple(word, fc.constantFrom('>', '<'), fc.nat(30)).map((parts) => parts.join('')),
      fc
        .tuple(word, fc.constantFrom('in', 'notin'), fc.array(fc.constantFrom('1', '20', ''), { minLength: 1 }))
        .map(([key, operator, values]) => `${key} ${operator} (${values.join(',')})`),
    );
    const labels = fc.dictionary(fc.constantFrom('a', 'b', 'in', 'x.y/z'), fc.constantFrom('', '1', '20', 'x'));
    fc.assert(
      fc.property(fc.array(one, { maxLength: 4 }), labels, (parts, labels) => {
        const selector = parseLabelSelector(parts.join(','));
        const again = parseLabelSelector(selector.toString());
        expect(again.matches(labels)).toBe(selector.matches(labels));
        expect(selector.isEmpty).toBe(parts.length === 0);
      }),
    );
  });
});

const NAME_RULE =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const PREFIX_RULE =
  "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LONG = 'x'.repeat(64);

describe('a label selector that Kubernetes refuses', () => {
  it.each([
    [',', "found ',', expected: !, identifier, or 'end of string'"],
    ['=1', "found '=', expected: !, identifier, or 'end of string'"],
    ['!=', "found '!=', expected: !, identifier, or 'end of string'"],
    ['(a)', "found '(', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a,,b', "found ',', expected: identifier after ','"],
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['a in (1))', "found ')', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['!a in (b)', "found 'in', expected: ',' or 'end of string'"],
    ['a===b', "unable to parse requirement: found '=', expected: identifier"],
    ['a><1', "unable to parse requirement: found '<', expected: identifier"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['!!a', "unable to parse requirement: found '!', expected: identifier"],
    ['a in 1', "unable to parse requirement: found '1' expected: '('"],
    ['a notin', "unable to parse requirement: found '' expected: '('"],
    ['a in (1', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (1 2)', "unable to parse requirement: found '2', expected: ',' or ')'"],
    ['a in (1,', "unable to parse requirement: found '', expected: ',', or identifier"],
    ['a in (,=)', "unable to parse requirement: found '=', expected: ',', or identifier"],
    ['a in (=)', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['a in ((1))', "unable to parse requirement: found '(', expected: ',', ')' or identifier"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a!b', "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
    ['a\0b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    [
      'a>',
      `unable to parse requirement: values[0]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    [
      'a<9223372036854775808',
      `unable to parse requirement: values[0]: Invalid value: "9223372036854775808": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    ['a>-1', `unable to parse requirement: values[0][a]: Invalid value: "-1": ${VALUE_RULE}`],
    [
      'a>-x',
      `unable to parse requirement: [values[0]: Invalid value: "-x": for 'Gt', 'Lt' operators, the value must be an integer, values[0][a]: Invalid value: "-x": ${VALUE_RULE}]`,
    ],
    ['/a', 'unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty'],
    ['a/', `unable to parse requirement: <nil>: Invalid value: "a/": name part must be non-empty; ${NAME_RULE}`],
    ['A_/b=1', `unable to parse requirement: <nil>: Invalid value: "A_/b": ${PREFIX_RULE}`],
    ['"a"', `unable to parse requirement: <nil>: Invalid value: "\\"a\\"": ${NAME_RULE}`],
    ['ä', `unable to parse requirement: <nil>: Invalid value: "ä": ${NAME_RULE}`],
    ['a=b,-', `unable to parse requirement: <nil>: Invalid value: "-": ${NAME_RULE}`],
    [
      'a/b/c',
      `unable to parse requirement: <nil>: Invalid value: "a/b/c": a valid label key ${NAME_RULE.replace('name part ', '')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ],
    [LONG, `unable to parse requirement: <nil>: Invalid value: "${LONG}": name part must be no more than 63 bytes`],
    [`a=${LONG}`, `unable to parse requirement: values[0][a]: Invalid value: "${LONG}": must be no more than 63 bytes`],
    ['a in (y,-x)', `unable to parse requirement: values[0][a]: Invalid value: "-x": ${VALUE_RULE}`],
  ])('%j gets its text', (selector, message) => {
    const error = refusal(selector);

    expect(error.message).toBe(message);
    expect(error).toMatchObject({ code: 400, reason: 'BadRequest' });
  });

  it('is answered, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '1', ' ', ',', '=', '!', '(', ')', '<', '>', 'in', '-', '\0', 'ä') }),
        (text) => {
          try {
            parseLabelSelector(text);
          } catch (error) {
            expect(error).toBeInstanceOf(StatusError);
          }
        },
      ),
    );
  });
});
