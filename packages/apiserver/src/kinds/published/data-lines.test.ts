import { describe, expect, it } from 'vitest';
import { dataLines } from './data-lines.ts';

/** Facts about fields of Go have several words: number, type, omitempty. */
const texts = (value: unknown, key = ''): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || key === 'go') return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...texts(inner, name)]);
};

describe('the data of built-in kinds', () => {
  it.each(['resources.jsonl', 'types.jsonl'])('has names and no sentences in %s', (file) => {
    const words = dataLines(file).flatMap((line) => texts(JSON.parse(line)));

    expect(words.length).toBeGreaterThan(100);
    expect(words.filter((text) => /\s/.test(text))).toEqual([]);
  });
});
