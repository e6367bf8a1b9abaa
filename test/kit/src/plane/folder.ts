import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createOwnedFolder } from '../process/owned-folder.ts';

/** Creates the folder of a new plane; folders left behind by killed processes disappear at the same time. */
export function createPlaneFolder(): Promise<string> {
  return createOwnedFolder(join(tmpdir(), `klutch-kit-${process.getuid?.() ?? 'user'}`));
}
