import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  array,
  boolean,
  enumeration,
  freeForm,
  immutable,
  type Infer,
  integer,
  intOrString,
  object,
  optional,
  record,
  required,
  string,
} from './schema.ts';

describe('a schema', () => {
  it('gives the JSON schema and the type of an object from one description', () => {
    const person = object('A person.', {
      name: required(string('Full name.', { minLength: 1 })),
      age: integer('Years.', { format: 'int32' }),
      tags: array('Tags.', string('A tag.')),
    });

    expect(person.json).toEqual({
      description: 'A person.',
      type: 'object',
      required: ['name'],
      properties: {
        name: { description: 'Full name.', type: 'string', minLength: 1 },
        age: { description: 'Years.', type: 'integer', format: 'int32' },
        tags: { description: 'Tags.', type: 'array', items: { description: 'A tag.', type: 'string' } },
      },
    });
    expectTypeOf<Infer<typeof person>>().toEqualTypeOf<{
      readonly name: string;
      readonly age?: number;
      readonly tags?: readonly string[];
    }>();
  });

  it('turns the values of an enumeration into a union', () => {
    const colour = enumeration('A colour.', ['red', 'green'], { default: 'red' });

    expect(colour.json).toEqual({ description: 'A colour.', type: 'string', default: 'red', enum: ['red', 'green'] });
    expectTypeOf<Infer<typeof colour>>().toEqualTypeOf<'red' | 'green'>();
  });

  it('keeps defaults that are false, empty text or an empty object', () => {
    expect(boolean('A switch.', { default: false }).json.default).toBe(false);
    expect(string('A text.', { default: '' }).json.default).toBe('');
    expect(object('A thing.', {}, { default: {} }).json.default).toEqual({});
  });

  it('leaves out properties and required when there are none', () => {
    expect(object('Empty.', {}).json).toEqual({ description: 'Empty.', type: 'object' });
  });

  it.each([
    ['as a whole', 'atomic', { 'x-kubernetes-list-type': 'atomic' }],
    ['by key', { keys: ['name'] }, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }],
  ] as const)('says that a list is merged %s', (_, merge, expected) => {
    const list = array('A list.', object('An entry.', { name: required(string('Key.')) }), { merge });

    expect(list.json).toMatchObject(expected);
  });

  it('carries rules wherever they are allowed', () => {
    const rules = [immutable('field')];
    const expected = [{ rule: 'self == oldSelf', message: 'field is immutable' }];

    const schemas = [
      string('', { rules }),
      enumeration('', ['a'], { rules }),
      array('', string(''), { rules }),
      object('', {}, { rules }),
      freeForm('', { rules }),
    ];

    for (const { json } of schemas) expect(json['x-kubernetes-validations']).toEqual(expected);
  });

  it('describes objects with free keys', () => {
    const labels = record('Labels.', string('A value.'));
    const anything = freeForm('Anything.', { atomic: true });

    expect(labels.json.additionalProperties).toEqual({ description: 'A value.', type: 'string' });
    expect(anything.json).toMatchObject({
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-map-type': 'atomic',
    });
    expectTypeOf<Infer<typeof labels>>().toEqualTypeOf<Readonly<Record<string, string>>>();
  });

  it('lets a quantity be a number or a text', () => {
    const quantity = intOrString('A quantity.');

    expect(quantity.json['x-kubernetes-int-or-string']).toBe(true);
    expectTypeOf<Infer<typeof quantity>>().toEqualTypeOf<number | string>();
  });

  it('makes a required field optional again', () => {
    const name = required(string('Name.'));
    const strict = object('', { name });
    const lenient = object('', { name: optional(name) });

    expect(strict.json.required).toEqual(['name']);
    expect(lenient.json.required).toBeUndefined();
    expectTypeOf<Infer<typeof lenient>>().toEqualTypeOf<{ readonly name?: string }>();
  });
});
