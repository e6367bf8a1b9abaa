import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from './test-folder.ts';

/** An executable that a test wrote. */
export interface TestPlugin {
  readonly folder: string;
  /** The executable. */
  readonly path: string;
  /** What its runs wrote with `log(…)`, one entry per call. */
  readonly logged: () => Promise<unknown[]>;
}

/**
 * Writes an executable credential plugin. `body` is the JavaScript it runs, with `fs`, `info` (the parsed
 * `KUBERNETES_EXEC_INFO`), `folder`, `log(value)` and `answer(status)` at hand.
 */
export async function testPlugin(body: string): Promise<TestPlugin> {
  const folder = await testFolder();
  const path = join(folder, 'plugin');
  const log = join(folder, 'log');
  const lines = [
    `#!${process.execPath}`,
    `const fs = require('node:fs');`,
    `const folder = ${JSON.stringify(folder)};`,
    `const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO ?? '{}');`,
    `const log = (value) => fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify(value) + '\\n');`,
    `const answer = (status) => console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: 'ExecCredential', status }));`,
    body,
  ];
  await writeFile(path, lines.join('\n'));
  await chmod(path, 0o755);
  return {
    folder,
    path,
    logged: async () => {
      const text = await readFile(log, 'utf8').catch(() => '');
      return text
        .split('\n')
        .filter(Boolean)
        .map((line): unknown => JSON.parse(line));
    },
  };
}
