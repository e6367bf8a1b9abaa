import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeOf, fileProblem } from './file-problem.ts';
import { testFolder } from './test-folder.ts';

describe('fileProblem', () => {
  it.each([
    ['EACCES', 'may not be read by this user (permission denied)'],
    ['ENOENT', 'does not exist'],
    ['EIO', 'cannot be read (EIO)'],
  ])('explains %s', (code, problem) => {
    expect(fileProblem(Object.assign(new Error('x'), { code }))).toBe(problem);
  });

  it('explains what the system really says', async () => {
    const folder = await testFolder();
    const problemOf = (path: string) => readFile(path).then(() => 'none', fileProblem);

    expect(await problemOf(folder)).toBe('is a folder, not a file');
    expect(await problemOf(join(folder, 'none'))).toBe('does not exist');
    expect(await problemOf(join(folder, 'x'.repeat(300)))).toBe('has a name that is too long');
  });

  it('does not invent a code', () => {
    expect(codeOf('text')).toBe('unknown error');
    expect(fileProblem(new Error('x'))).toBe('cannot be read (unknown error)');
  });
});
