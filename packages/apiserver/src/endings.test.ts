import { describe, expect, it } from 'vitest';
import { Endings } from './endings.ts';

describe('Endings', () => {
  it('run last one first, and only once', async () => {
    const ended: string[] = [];
    const endings = new Endings();
    for (const name of ['store', 'controllers', 'server']) endings.add(async () => void ended.push(name));

    await Promise.all([endings.run(), endings.run()]);
    await endings.run();

    expect(ended).toEqual(['server', 'controllers', 'store']);
  });

  it('run all of them when one fails, and tell of the failure', async () => {
    const ended: string[] = [];
    const endings = new Endings();
    endings.add(() => void ended.push('store'));
    endings.add(() => {
      throw new Error('no');
    });
    endings.add(() => Promise.reject(new Error('the first')));

    await expect(endings.run()).rejects.toThrow('the first');
    expect(ended).toEqual(['store']);
  });
});
