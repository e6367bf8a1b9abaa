import { readFile, writeFile } from 'node:fs/promises';

/**
 * The calls of a checked-in list. With `KLUTCH_WRITE_LISTS=1` the list is first written anew from what was found, for
 * somebody to read and judge before it is checked in.
 */
export async function listedCalls(file: URL, found: readonly string[]): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  if (process.env['KLUTCH_WRITE_LISTS'] === '1') {
    const comments = text.split('\n').filter((line) => line.startsWith('#'));
    await writeFile(file, `${[...comments, ...found].join('\n')}\n`);
    return found;
  }
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .sort();
}
