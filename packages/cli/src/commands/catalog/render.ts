import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { KlutchError } from '@klutch/api';
import { render } from '@klutch/catalog';
import { catalogueFrom } from '../../catalog/read-folders.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Writes everything that follows from a catalogue into a folder, or prints the objects that a control plane gets. */
export async function renderCatalogue(folders: readonly string[], out: string, terminal: Terminal): Promise<void> {
  const files = render(await catalogueFrom(folders));
  if (out === '-') {
    const manifests = files.filter(({ path }) => path.endsWith('.yaml') && !path.startsWith('examples/'));
    return terminal.print(manifests.map(({ text }) => text.trimEnd()).join('\n---\n'));
  }
  for (const { path, text } of files) await write(join(out, path), text);
  createProgress(terminal).done(`${files.length} files were written to ${resolve(out)}.`);
}

async function write(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new KlutchError(
      'KLUTCH_FILE_UNWRITABLE',
      `${resolve(path)} cannot be written (${code}); choose another folder with --out.`,
      { cause },
    );
  }
}
