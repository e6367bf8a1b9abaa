import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { commandsOf } from './commands.ts';

describe('blocks of commands in a guide', () => {
  it('are found under their headings, and only those of the shell', async () => {
    const blocks = await commandsOf('docs/guides/control-plane.md');
    expect(blocks.length).toBeGreaterThan(10);
    for (const { section, text } of blocks) {
      expect(section).not.toBe('');
      expect(text).not.toContain('```');
    }
  });

  it('use flags and commands of klutch that exist', async () => {
    const reference = await commandsOfReference();
    const guides = (await readdir(new URL('../../docs/guides/', import.meta.url))).map((name) => `docs/guides/${name}`);
    for (const guide of guides) {
      const text = (await commandsOf(guide)).map((block) => block.text).join('\n');
      const unknown = [...text.matchAll(/(?<=\s)--[a-z][a-z-]+/g)]
        .map(([flag]) => flag)
        .filter((flag) => !reference.has(flag) && !kubectlFlags.has(flag));
      expect({ guide, unknown }).toEqual({ guide, unknown: [] });
    }
  });
});

/** Flags of other programs that the guides use. */
const kubectlFlags = new Set([
  '--all-namespaces',
  '--cert',
  '--dry-run',
  '--field-selector',
  '--for',
  '--force-conflicts',
  '--from-file',
  '--from-literal',
  '--ignore-not-found',
  '--key',
  '--namespace',
  '--raw',
  '--server-side',
  '--timeout',
  '--type',
]);

async function commandsOfReference(): Promise<ReadonlySet<string>> {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(new URL('../../docs/reference/cli.md', import.meta.url), 'utf8');
  return new Set([...text.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag));
}
