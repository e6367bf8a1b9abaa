import { readFile } from 'node:fs/promises';

/** The version of this package. Source and bundle both lie one folder below its manifest. */
export async function packageVersion(): Promise<string> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
