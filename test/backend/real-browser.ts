import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The Chromium or Chrome of this machine, or undefined. `CHROME_PATH` wins over what is on the path. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env['CHROME_PATH'] ?? '', ...candidates].find((path) => path !== '' && isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
