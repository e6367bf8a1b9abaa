import { open } from 'node:fs/promises';

/** Makes names that were created or changed in a folder safe from a crash of the machine. */
export async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
