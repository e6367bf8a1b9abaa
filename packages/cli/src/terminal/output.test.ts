import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type OutputFormat, printResult, tableLines } from './output.ts';

const result = {
  table: {
    columns: ['Name', 'Ready'],
    rows: [
      ['a/long-name', 'True'],
      ['b', ''],
    ],
  },
  document: { kind: 'List', items: [{ name: 'a', on: 'yes' }] },
  names: ['x/a', 'x/b'],
};

async function printed(format: OutputFormat): Promise<string> {
  const lines: string[] = [];
  await printResult({ print: (line) => void lines.push(line) }, format, result);
  return lines.join('\n');
}

describe('printResult', () => {
  it('prints one document of JSON or YAML', async () => {
    expect(JSON.parse(await printed('json'))).toEqual(result.document);
    expect(parse(await printed('yaml'))).toEqual(result.document);
  });

  it('prints YAML that Go does not read differently', async () => {
    expect(await printed('yaml')).toContain('"on": "yes"');
  });

  it('prints names', async () => {
    expect(await printed('name')).toBe('x/a\nx/b');
  });

  it('prints a table as kubectl does', async () => {
    expect(await printed('table')).toBe('NAME          READY\na/long-name   True\nb');
  });
});

describe('tableLines', () => {
  it('has a heading even without rows', () => {
    expect(tableLines(['Name', 'Age'], [])).toEqual(['NAME   AGE']);
  });
});
