import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { parseScenarios } from './scenario-list.ts';

const LIST = fileURLToPath(new URL('../../test/scenarios.tsv', import.meta.url));
const SOURCE = fileURLToPath(new URL('../../../shared/scenarios.tsv', import.meta.url));

describe('scenario list', () => {
  it('has an id, a component and a text on every line, and no id twice', async () => {
    const scenarios = parseScenarios(await readFile(LIST, 'utf8'));
    const strange = scenarios.filter(
      ({ id, component, text }) => !/^[A-Z]{2,4}-[A-Z]?\d+$/.test(id) || !/^[a-z-]+$/.test(component) || text === '',
    );
    expect(strange).toEqual([]);
    expect(scenarios.length).toBeGreaterThan(400);
    expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length);
  });

  it.runIf(existsSync(SOURCE))('is the same as the one the whole project shares', async () => {
    expect(await readFile(LIST, 'utf8')).toBe(await readFile(SOURCE, 'utf8'));
  });

  it('is read line by line under its heading', () => {
    const tsv =
      'id\ttag\tspec\tscenario\nKON-01\tP\tkonnector.md\tGiven this, then that.\nUX-02\t\tuser-journeys.md\tMore.\n';
    expect(parseScenarios(tsv)).toEqual([
      { id: 'KON-01', component: 'konnector', text: 'Given this, then that.' },
      { id: 'UX-02', component: 'user-journeys', text: 'More.' },
    ]);
  });
});
