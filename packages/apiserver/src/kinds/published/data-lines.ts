import { readFileSync } from 'node:fs';

/** The lines of a data file beside this one, which `npm run generate:kinds` writes. */
export function dataLines(file: string): readonly string[] {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
}
