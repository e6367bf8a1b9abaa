import { readFile } from 'node:fs/promises';

/** The last lines of a log file, or a remark when there is nothing to show. */
export async function logTail(file: string, lines = 20): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const tail = text.trimEnd().split('\n').slice(-lines).join('\n');
  return tail === '' ? '(the log is empty)' : tail;
}
