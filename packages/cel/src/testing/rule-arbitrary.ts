import fc from 'fast-check';
import type { JsonSchema, ValidationRule } from '../schema/json-schema.ts';

import { SAYINGS } from './rule-sayings.ts';

const REASONS = ['FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired', 'FieldValueDuplicate'];

/** Rules that may or may not compile; both servers must agree on that as well. */
export function rules(schema: JsonSchema): fc.Arbitrary<readonly ValidationRule[]> {
  const text = { message: fc.constantFrom('must be fine', ' is trimmed ') };
  const more = {
    ...text,
    reason: fc.constantFrom(...REASONS),
    messageExpression: messageFor(schema),
    fieldPath: pathIn(schema),
  };
  const rule = fc
    .tuple(expression(schema, 'self', 'oldSelf', 2), fc.record(more, { requiredKeys: [] }), fc.nat({ max: 9 }))
    .map(([expr, extra, chance]): ValidationRule => {
      // Paths are wrong half of the time, and one wrong rule spoils the whole definition.
      const { fieldPath, ...rest } = extra;
      const kept = chance === 0 && fieldPath !== undefined ? { ...rest, fieldPath } : rest;
      return { rule: expr, ...kept };
    });
  const optional = expression(schema, 'self', 'oldSelf.value()', 1).map(
    (expr): ValidationRule => ({ rule: `!oldSelf.hasValue() || (${expr})`, optionalOldSelf: true }),
  );
  const either = fc.oneof({ weight: 6, arbitrary: rule }, { weight: 1, arbitrary: optional });
  return fc.array(either, { minLength: 1, maxLength: 2 });
}

/** Something that is true or false of a value. `old` is what to call the value before, undefined where there is none. */
function expression(schema: JsonSchema, self: string, old: string | undefined, depth: number): fc.Arbitrary<string> {
  const said = fc.constantFrom(...sayings(schema, old !== undefined)).map((text) => inserted(text, self, old ?? self));
  const inner = depth > 0 ? innerExpressions(schema, self, old, depth - 1) : [];
  const simple = inner.length > 0 ? fc.oneof({ weight: 2, arbitrary: said }, ...inner) : said;
  return fc.oneof(
    { weight: 5, arbitrary: simple },
    { weight: 1, arbitrary: fc.tuple(simple, said).map(([one, two]) => `(${one}) || (${two})`) },
    { weight: 1, arbitrary: fc.tuple(simple, said).map(([one, two]) => `((${one}) ? (${two}) : true)`) },
  );
}

function innerExpressions(
  schema: JsonSchema,
  self: string,
  old: string | undefined,
  depth: number,
): { readonly weight: number; readonly arbitrary: fc.Arbitrary<string> }[] {
  const { type, items, properties = {}, additionalProperties } = schema;
  const variable = `x${depth}`;
  if (type === 'array' && items) {
    const each = expression(items, variable, undefined, depth);
    const macro = fc.constantFrom('all', 'exists', 'exists_one');
    return [{ weight: 1, arbitrary: fc.tuple(macro, each).map(([m, e]) => `${self}.${m}(${variable}, ${e})`) }];
  }
  if (type !== 'object') return [];
  if (typeof additionalProperties === 'object') {
    const each = expression(additionalProperties, `${self}[${variable}]`, undefined, depth);
    return [{ weight: 1, arbitrary: each.map((e) => `${self}.all(${variable}, ${e})`) }];
  }
  return Object.entries(properties).map(([name, property]) => {
    const field = escaped(name);
    const below = expression(property, `${self}.${field}`, old && `${old}.${field}`, depth);
    const guarded = fc.tuple(fc.boolean(), below).map(([guard, e]) => (guard ? `!has(${self}.${field}) || (${e})` : e));
    return { weight: 1, arbitrary: guarded };
  });
}

const escaped = (name: string) =>
  name === 'namespace' ? '__namespace__' : name.replaceAll('-', '__dash__').replaceAll('.', '__dot__');

function sayings({ type = '', format = '', ...schema }: JsonSchema, withOld: boolean): readonly string[] {
  const kind = schema['x-kubernetes-int-or-string'] ? 'intOrString' : type;
  const isMap = type === 'object' && typeof schema.additionalProperties === 'object';
  const known = (type === 'string' && SAYINGS[format]) || SAYINGS[isMap ? 'map' : kind] || ['true'];
  return withOld ? known : known.filter((text) => !text.includes('OLD'));
}

const inserted = (text: string, self: string, old: string) => text.replaceAll('OLD', old).replaceAll('SELF', self);

function messageFor({ type = '', format }: JsonSchema): fc.Arbitrary<string> {
  const plain = ["'computed'", "'of ' + 'abc'", "''", String.raw`'a\nb'`, "'  '"];
  if (type === 'string' && format === undefined)
    return fc.constantFrom(...plain, "'got ' + self", 'self', 'self.charAt(0)');
  if (type === 'array' || type === 'object') return fc.constantFrom(...plain, "'has ' + string(size(self))", 'self[0]');
  return fc.constantFrom(...plain, "'is ' + string(self)", "'%s'.format([self])");
}

function pathIn({ type, properties = {} }: JsonSchema): fc.Arbitrary<string> {
  if (type !== 'object') return fc.constantFrom('.a', '');
  const names = Object.keys(properties).map((name) => (/^\w+$/.test(name) ? `.${name}` : `['${name}']`));
  return fc.constantFrom(...names, ...names, ...names, '.nothing', 'a');
}
