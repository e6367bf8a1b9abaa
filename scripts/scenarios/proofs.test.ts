import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { endToEndSuites, finishedComponents, parseProofs } from './proofs.ts';
import { parseScenarios } from './scenario-list.ts';

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

describe('what counts as coverage', () => {
  it('is said for every scenario of a finished component, once', async () => {
    const scenarios = parseScenarios(await readFile(file('test/scenarios.tsv'), 'utf8'));
    const own = scenarios.filter(({ component }) => finishedComponents.includes(component)).map(({ id }) => id);
    const proofs = parseProofs(await readFile(file('test/scenario-proofs.tsv'), 'utf8'));

    expect(proofs.map(({ id }) => id)).toEqual(own);
  });

  it('names folders and files that exist', () => {
    const exists = (suite: string) => existsSync(file(suite)) || suite.endsWith('-');

    expect(endToEndSuites.filter((suite) => !exists(suite))).toEqual([]);
  });

  it('is read line by line, and refused when a word is not known', () => {
    expect(parseProofs('id\ttiers\tproof\nKON-01\tany\tend-to-end\n')).toEqual([
      { id: 'KON-01', tiers: 'any', proof: 'end-to-end' },
    ]);
    expect(() => parseProofs('id\ttiers\tproof\nKON-01\tall\ttest\n')).toThrow('KON-01');
  });
});
