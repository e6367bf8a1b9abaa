import { describe, expect, it } from 'vitest';
import { DecodeError, decodeAs } from './decode.ts';
import {
  bool,
  bytes,
  dict,
  either,
  inlined,
  int32,
  int64,
  intOrString,
  list,
  named,
  ptr,
  quantity,
  raw,
  struct,
  text,
  time,
} from '../testing/fields.ts';

const part = struct('Part', {
  name: text(),
  count: int32(),
  ...inlined('PartSource', { origin: ptr(text()) }),
});

const gadget = struct('Gadget', () => ({
  title: text(),
  kindOf: named('GadgetType'),
  on: bool(),
  big: int64(),
  when: time(),
  size: quantity(),
  port: intOrString(),
  key: bytes(),
  main: part,
  parts: list(part),
  byName: dict(part),
  labels: dict(text()),
  names: list(text()),
  free: raw(),
  inner: ptr(either([gadget, bool()])),
}));

const decode = (object: object) => decodeAs(gadget, object);

function problemOf(object: object): string {
  try {
    decode(object);
    return 'none';
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

describe('decodeAs', () => {
  it('leaves apiVersion, kind and metadata alone', () => {
    const object = { apiVersion: 5, kind: null, metadata: { anything: null } };

    expect(decode(object)).toEqual([]);
    expect(object).toEqual({ apiVersion: 5, kind: null, metadata: { anything: null } });
  });

  it('drops nulls, which say nothing', () => {
    const object = { title: null, main: { name: null }, parts: null, labels: null };

    expect(decode(object)).toEqual([]);
    expect(object).toEqual({ main: {} });
  });

  it('takes a null in a list or dict for an empty value', () => {
    const object = { names: ['a', null], parts: [null], labels: { a: null }, byName: { b: null } };

    decode(object);

    expect(object).toEqual({ names: ['a', ''], parts: [{}], labels: { a: '' }, byName: { b: {} } });
  });

  it('drops unknown fields and tells where they were', () => {
    const object = { tittle: 'x', main: { nam: 1 }, parts: [{}, { x: 1, name: 'a' }], byName: { k: { y: 2 } } };

    expect(decode(object)).toEqual(['tittle', 'main.nam', 'parts[1].x', 'byName.k.y']);
    expect(object).toEqual({ main: {}, parts: [{}, { name: 'a' }], byName: { k: {} } });
  });

  it('says nothing about unknown fields where one of several types was found', () => {
    const object = { inner: { title: 'a', foo: 1, main: { bar: 2 } } };

    expect(decode(object)).toEqual([]);
    expect(object).toEqual({ inner: { title: 'a', main: {} } });
  });

  it('takes any of several types', () => {
    const object = { inner: true };

    expect(decode(object)).toEqual([]);
    expect(object).toEqual({ inner: true });
  });

  it('keeps free content as it is', () => {
    const object = { free: { a: [null, { b: 1 }] } };

    decode(object);

    expect(object).toEqual({ free: { a: [null, { b: 1 }] } });
  });

  it('writes times, quantities and bytes in their canonical form', () => {
    const object = { when: '2026-01-01T01:00:00+01:00', size: 0.5, key: 'YQ=\n=', port: 80 };

    decode(object);

    expect(object).toEqual({ when: '2026-01-01T00:00:00Z', size: '500m', key: 'YQ==', port: 80 });
  });

  it('does not take fields of the prototype for fields', () => {
    const object = JSON.parse('{"toString":1,"__proto__":{"title":1}}') as object;

    expect(decode(object)).toEqual(['toString', '__proto__']);
  });

  const field = (name: string) => `into Go struct field ${name} of type`;

  it.each([
    [{ title: 1 }, `json: cannot unmarshal number ${field('Gadget.title')} string`],
    [{ title: [] }, `json: cannot unmarshal array ${field('Gadget.title')} string`],
    [{ title: {} }, `json: cannot unmarshal object ${field('Gadget.title')} string`],
    [{ kindOf: true }, `json: cannot unmarshal bool ${field('Gadget.kindOf')} v1.GadgetType`],
    [{ on: 'yes' }, `json: cannot unmarshal string ${field('Gadget.on')} bool`],
    [{ big: 1.5 }, `json: cannot unmarshal number 1.5 ${field('Gadget.big')} int64`],
    [{ main: 'x' }, `json: cannot unmarshal string ${field('Gadget.main')} v1.Part`],
    [{ main: { count: 'x' } }, `json: cannot unmarshal string ${field('Part.main.count')} int32`],
    [{ main: { count: 3_000_000_000 } }, `json: cannot unmarshal number 3000000000 ${field('Part.main.count')} int32`],
    [{ main: { origin: 1 } }, `json: cannot unmarshal number ${field('Part.main.PartSource.origin')} string`],
    [{ parts: {} }, `json: cannot unmarshal object ${field('Gadget.parts')} []v1.Part`],
    [{ parts: [{ name: 1 }] }, `json: cannot unmarshal number ${field('Part.parts.name')} string`],
    [{ names: [1] }, `json: cannot unmarshal number ${field('Gadget.names')} string`],
    [{ labels: 'x' }, `json: cannot unmarshal string ${field('Gadget.labels')} map[string]string`],
    [{ labels: { a: 1 } }, `json: cannot unmarshal number ${field('Gadget.labels')} string`],
    [{ byName: { a: { name: 1 } } }, `json: cannot unmarshal number ${field('Part.byName.name')} string`],
    [{ key: 5 }, `json: cannot unmarshal number ${field('Gadget.key')} []uint8`],
    [{ key: '!' }, 'illegal base64 data at input byte 0'],
    [{ when: 5 }, `json: cannot unmarshal number ${field('Gadget.when')} string`],
    [{ port: true }, `json: cannot unmarshal bool ${field('Gadget.port')} int32`],
    [{ size: 'x' }, "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
  ])('refuses %j in the words of Go', (object, problem) => {
    expect(problemOf(object)).toBe(problem);
  });

  it('reports the first problem in the order of the document', () => {
    expect(problemOf({ on: 1, title: 1 })).toContain('Gadget.on');
    expect(problemOf({ title: 1, on: 1 })).toContain('Gadget.title');
  });

  it('names the struct of a field that follows a nested one', () => {
    expect(problemOf({ main: { name: 'a' }, parts: [{ name: 'a' }], title: 5 })).toContain(
      'Go struct field Gadget.title',
    );
  });
});
