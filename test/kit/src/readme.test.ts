import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

import { DEFAULT_CONTROLLERS } from './plane/flags.ts';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

describe('README', () => {
  it('shows an example that is itself a test', async () => {
    const example = await read('./readme-example.test.ts');
    expect(await read('../README.md')).toContain(`\`\`\`ts\n${example}\`\`\``);
  });

  it('lists the controllers that run by default', async () => {
    const readme = await read('../README.md');
    expect(DEFAULT_CONTROLLERS.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });

  it('mentions every environment variable the kit reads', async () => {
    const readme = await read('../README.md');
    const names = [
      'KLUTCH_TIERS',
      'KUBEBUILDER_ASSETS',
      'KLUTCH_CROSSPLANE',
      'KLUTCH_DEX',
      'KLUTCH_KEYCLOAK',
      'KLUTCH_CHROMIUM',
      'KLUTCH_KIT_CACHE',
      'XDG_CACHE_HOME',
    ];
    expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });
});
