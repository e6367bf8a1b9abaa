import { delimiter, join } from 'node:path';

import { isExecutable } from '../binaries/resolve-built.ts';
import { KitError } from '../kit-error.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** What to do about a missing one. */
const ADVICE = 'install it (Debian: apt-get install chromium), or name one in KLUTCH_CHROMIUM';

/** Finds a Chromium: the program that `KLUTCH_CHROMIUM` names, else the first in the PATH. Rejects when there is none. */
export async function findChromium(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  if (env.KLUTCH_CHROMIUM) {
    if (await isExecutable(env.KLUTCH_CHROMIUM)) return env.KLUTCH_CHROMIUM;
    throw missing(`KLUTCH_CHROMIUM is set, but ${env.KLUTCH_CHROMIUM} is not a program`);
  }
  for (const name of NAMES) {
    for (const folder of (env.PATH ?? '').split(delimiter).filter(Boolean)) {
      const program = join(folder, name);
      if (await isExecutable(program)) return program;
    }
  }
  throw missing(`there is no Chromium: ${ADVICE}`);
}

function missing(reason: string): KitError {
  return new KitError('KLUTCH_KIT_BINARIES_MISSING', reason);
}
