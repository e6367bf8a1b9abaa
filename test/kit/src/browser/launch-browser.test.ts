import { expect, it } from 'vitest';

import { describeWithBrowser } from '../vitest/index.ts';
import { launchBrowser } from './launch-browser.ts';

describeWithBrowser('a browser', () => {
  it('shows pages, and has no cookies of other tests', { timeout: 200_000 }, async () => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.setContent('<main><h1>Hello</h1><label>Name <input></label></main>');
      await page.getByLabel('Name').fill('Ada');
      expect(await page.getByRole('heading').textContent()).toBe('Hello');
      expect(await page.getByRole('textbox').inputValue()).toBe('Ada');
      expect(await page.context().cookies()).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it('is told apart from a program that is none', async () => {
    await expect(launchBrowser({ program: '/bin/true' })).rejects.toThrow();
  });
});
