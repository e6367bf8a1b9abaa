import { describe, expect, it } from 'vitest';
import {
  always,
  bool,
  dict,
  either,
  int32,
  intOrString,
  list,
  microTime,
  must,
  ptr,
  quantity,
  raw,
  struct,
  text,
  time,
} from '../testing/fields.ts';
import type { Struct } from './go-type.ts';
import { writeBack } from './write-back.ts';

const inner = struct('Inner', { a: text(), b: must(text()) });

function written(type: Struct, object: Record<string, unknown>): object {
  writeBack(type, object);
  return object;
}

describe('writeBack', () => {
  it('drops empty values, which say nothing', () => {
    const type = struct('T', {
      text: text(),
      number: int32(),
      flag: bool(),
      list: list(text()),
      dict: dict(text()),
    });

    expect(written(type, { text: '', number: 0, flag: false, list: [], dict: {} })).toEqual({});
  });

  it('keeps empty values behind pointers', () => {
    const type = struct('T', { text: ptr(text()), number: ptr(int32()), flag: ptr(bool()), inner: ptr(inner) });

    expect(written(type, { text: '', number: 0, flag: false, inner: {} })).toEqual({
      text: '',
      number: 0,
      flag: false,
      inner: { b: '' },
    });
    expect(written(type, {})).toEqual({});
  });

  it('shows values that are always shown', () => {
    const type = struct('T', {
      text: always(text()),
      flag: must(bool()),
      list: always(list(text())),
      dict: always(dict(text())),
    });

    expect(written(type, {})).toEqual({ text: '', flag: false, list: null, dict: null });
    expect(written(type, { list: [], dict: {} })).toEqual({ text: '', flag: false, list: null, dict: null });
  });

  it('shows a pointer that is always shown as null', () => {
    expect(written(struct('T', { inner: must(ptr(inner)) }), {})).toEqual({ inner: null });
  });

  it('shows structs unless they are behind pointers, and what structs are in Go', () => {
    const type = struct('T', { inner, when: time(), exactly: microTime(), size: quantity(), port: intOrString() });

    expect(written(type, {})).toEqual({ inner: { b: '' }, when: null, exactly: null, size: '0', port: 0 });
  });

  it('goes into lists, dicts and alternatives', () => {
    const type = struct('T', {
      list: list(inner),
      dict: dict(inner),
      one: ptr(either([inner, bool()])),
      free: raw(),
    });
    const object = { list: [{ a: '' }], dict: { k: {} }, one: { a: '' }, free: { a: '' } };

    expect(written(type, object)).toEqual({
      list: [{ b: '' }],
      dict: { k: { b: '' } },
      one: { b: '' },
      free: { a: '' },
    });
    expect(written(type, { one: false })).toEqual({ one: false });
  });

  it('leaves the metadata of the object alone', () => {
    const type = struct('T', { metadata: inner, text: text() });

    expect(written(type, { metadata: {} })).toEqual({ metadata: {} });
  });

  it('changes nothing the second time', () => {
    const type = struct('T', { inner, list: list(inner), text: text() });
    const once = written(type, { list: [{ a: 'x' }], text: 'y' });

    expect(written(type, JSON.parse(JSON.stringify(once)) as Record<string, unknown>)).toEqual(once);
  });
});
