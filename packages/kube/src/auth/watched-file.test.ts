import { mkdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testFolder } from './test-folder.ts';
import { watchedFile } from './watched-file.ts';

async function world(content: string) {
  const folder = await testFolder();
  const path = join(folder, 'file');
  await writeFile(path, content);
  const clock = { now: 1_000_000 };
  const reads: string[] = [];
  const understand = (text: string) => {
    if (text === '') throw new Error('empty');
    reads.push(text);
    return text;
  };
  return { folder, path, clock, reads, file: watchedFile(path, understand, () => clock.now) };
}

describe('watchedFile', () => {
  it('reads once and then answers from memory', async () => {
    const { path, clock, reads, file } = await world('one');

    expect(await file.current()).toBe('one');
    await writeFile(path, 'two');
    clock.now += 9_999;

    expect(await file.current()).toBe('one');
    expect(reads).toEqual(['one']);
  });

  it('sees a change after ten seconds', async () => {
    const { path, clock, file } = await world('one');
    await file.current();

    await writeFile(path, 'two');
    clock.now += 10_000;

    expect(await file.current()).toBe('two');
  });

  it('does not read a file that did not change', async () => {
    const { clock, reads, file } = await world('one');

    for (let look = 0; look < 5; look += 1) {
      await file.current();
      clock.now += 10_000;
    }

    expect(reads).toEqual(['one']);
  });

  it('sees a change of the same length and modification time', async () => {
    const { path, clock, file } = await world('one');
    await file.current();
    const { atime, mtime } = await stat(path);

    await writeFile(path, 'two');
    await utimes(path, atime, mtime);
    clock.now += 10_000;

    expect(await file.current()).toBe('two');
  });

  it('sees the swap of a symbolic link, as Kubernetes replaces the files of a volume', async () => {
    const { folder, clock } = await world('unused');
    for (const version of ['..v1', '..v2']) {
      await mkdir(join(folder, version));
      await writeFile(join(folder, version, 'token'), version);
    }
    await symlink('..v1', join(folder, '..data'));
    await symlink('..data/token', join(folder, 'token'));
    const file = watchedFile(
      join(folder, 'token'),
      (text) => text,
      () => clock.now,
    );
    expect(await file.current()).toBe('..v1');

    await symlink('..v2', join(folder, '..data_tmp'));
    await rename(join(folder, '..data_tmp'), join(folder, '..data'));
    await rm(join(folder, '..v1'), { recursive: true });
    clock.now += 10_000;

    expect(await file.current()).toBe('..v2');
  });

  it('keeps the last good content while the file is missing or half written', async () => {
    const { path, clock, file } = await world('one');
    await file.current();

    await rm(path);
    clock.now += 10_000;
    expect(await file.current()).toBe('one');

    await writeFile(path, '');
    clock.now += 10_000;
    expect(await file.current()).toBe('one');

    await writeFile(path, 'two');
    clock.now += 10_000;
    expect(await file.current()).toBe('two');
  });

  it('reads at once when invalidated, and does not fall back on what was refused', async () => {
    const { path, file } = await world('one');
    await file.current();

    await writeFile(path, 'two');
    file.invalidate();
    expect(await file.current()).toBe('two');

    await rm(path);
    file.invalidate();
    await expect(file.current()).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(file.current()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('recovers from a missing file as soon as it is there', async () => {
    const { path, file } = await world('one');
    await rm(path);
    await expect(file.current()).rejects.toMatchObject({ code: 'ENOENT' });

    await writeFile(path, 'two');

    expect(await file.current()).toBe('two');
  });

  it('looks again when the clock was set back', async () => {
    const { path, clock, file } = await world('one');
    await file.current();

    await writeFile(path, 'two');
    clock.now -= 3_600_000;

    expect(await file.current()).toBe('two');
  });

  it('lets callers that come together share one look', async () => {
    const { reads, file } = await world('one');

    const all = await Promise.all(Array.from({ length: 20 }, () => file.current()));

    expect(new Set(all)).toEqual(new Set(['one']));
    expect(reads).toEqual(['one']);
  });

  it('looks anew for a caller that comes after an invalidation while a look is under way', async () => {
    const { reads, file } = await world('one');

    const before = file.current();
    file.invalidate();
    const after = file.current();

    expect(await Promise.all([before, after])).toEqual(['one', 'one']);
    expect(reads).toEqual(['one', 'one']);
  });
});
