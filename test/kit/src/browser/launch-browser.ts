import type { Browser } from 'playwright-core';

import { findChromium } from './find-chromium.ts';

/** What {@link launchBrowser} may be told. */
export interface LaunchBrowserOptions {
  /** Path of the program. Default: that of `findChromium()`. */
  readonly program?: string;
}

/** Starts a Chromium without a window. Close it when the test is over; it ends with this process at the latest. */
export async function launchBrowser({ program }: LaunchBrowserOptions = {}): Promise<Browser> {
  const executablePath = program ?? (await findChromium());
  const { chromium } = await import('playwright-core');
  // Its own sandbox needs rights that containers and root do not have; it shows nothing but pages of the tests.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'], timeout: 120_000 });
}
