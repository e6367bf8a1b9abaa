import { describe, expect, it } from 'vitest';

import {
  describeElement,
  describePath,
  fieldName,
  parsePathElement,
  sortPathElements,
  valueElement,
} from './path-element.ts';

describe('parsePathElement', () => {
  it.each([
    ['f:name', 'f:name'],
    ['f:', 'f:'],
    ['f:with "quotes"', 'f:with "quotes"'],
    ['k:{"name":"x"}', 'k:{"name":"x"}'],
    ['k:{ "protocol": "TCP", "port": 80 }', 'k:{"port":80,"protocol":"TCP"}'],
    ['k:{"name":"a<b"}', 'k:{"name":"a\\u003cb"}'],
    ['k:{"name":"a\\u003cb"}', 'k:{"name":"a\\u003cb"}'],
    ['v:"x"', 'v:"x"'],
    ['v:  1.50', 'v:1.5'],
    ['v:"a&b"', 'v:"a\\u0026b"'],
    ['i:3', 'i:3'],
    ['i:+03', 'i:3'],
  ])('%s is %s', (text, canonical) => {
    expect(parsePathElement(text)).toBe(canonical);
  });

  it('knows nothing of kinds of steps that may come later', () => {
    expect(parsePathElement('z:something')).toBeUndefined();
  });

  it.each(['', 'f', 'name', 'k:[1]', 'k:{', 'v:', 'i:x'])('refuses %j', (text) => {
    expect(() => parsePathElement(text)).toThrow(Error);
  });
});

describe('sortPathElements', () => {
  it('puts fields first, then keys, values and indices', () => {
    const elements = ['i:1', 'v:"b"', 'k:{"a":1}', 'f:z', 'v:2', 'f:a', 'i:0'];
    expect(sortPathElements(elements)).toEqual(['f:a', 'f:z', 'k:{"a":1}', 'v:2', 'v:"b"', 'i:0', 'i:1']);
  });

  it('sorts fields by bytes', () => {
    expect(sortPathElements(['f:b', 'f:B', 'f:a', 'f:a-b', 'f:ab'])).toEqual(['f:B', 'f:a', 'f:a-b', 'f:ab', 'f:b']);
  });

  it('sorts keys by name, then by value', () => {
    const elements = [
      'k:{"port":443}',
      'k:{"name":"x","port":2}',
      'k:{"port":80}',
      'k:{"name":"x"}',
      'k:{"name":"a b"}',
    ];
    expect(sortPathElements(elements)).toEqual([
      'k:{"name":"a b"}',
      'k:{"name":"x"}',
      'k:{"name":"x","port":2}',
      'k:{"port":80}',
      'k:{"port":443}',
    ]);
  });

  it('sorts values: numbers by size, then text, then booleans, null last', () => {
    const elements = ['v:true', 'v:null', 'v:"10"', 'v:9', 'v:"9"', 'v:false', 'v:10', 'v:1.5'];
    expect(sortPathElements(elements)).toEqual([
      'v:1.5',
      'v:9',
      'v:10',
      'v:"10"',
      'v:"9"',
      'v:false',
      'v:true',
      'v:null',
    ]);
  });
});

describe('describePath', () => {
  it('writes paths as conflicts show them', () => {
    expect(describePath(['f:spec', 'f:ports', 'k:{"name":"a \\"b\\"","port":80}', 'f:tags', 'v:"x"'])).toBe(
      '.spec.ports[name="a \\"b\\"",port=80].tags[="x"]',
    );
  });

  it.each([
    ['f:a.b', '.a.b'],
    ['k:{"a":null,"b":true}', '[a=null,b=true]'],
    ['v:5', '[=5]'],
    ['v:"<"', '[="<"]'],
    ['i:7', '[7]'],
  ])('%s: %s', (element, text) => {
    expect(describeElement(element)).toBe(text);
  });
});

describe('fieldName', () => {
  it('is there for fields only', () => {
    expect(fieldName('f:k:odd')).toBe('k:odd');
    expect(fieldName(valueElement('f:x'))).toBeUndefined();
  });
});
