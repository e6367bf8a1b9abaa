import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPlane } from '@klutch/kit';
import { dataFiles, type GoFields } from './kinds/data-files.ts';
import { publishedKinds } from './kinds/published-kinds.ts';

// Writes the data of built-in kinds anew: from what the kube-apiserver of the test kit publishes, and from its Go types.

const root = fileURLToPath(new URL('..', import.meta.url));

const plane = await startPlane({ controllerManager: false });
try {
  const published = await publishedKinds(async (path) => (await plane.admin.request('GET', path)).body);
  for (const [path, content] of dataFiles(published, await goFields())) {
    await writeFile(`${root}${path}`, content);
  }
} finally {
  await plane.stop();
}

async function goFields(): Promise<GoFields> {
  const { stdout } = await promisify(execFile)('go', ['run', '-mod=readonly', `${root}scripts/kinds/go-fields.go`], {
    cwd: `${root}test/kit/go/kubernetes`,
    env: { ...process.env, GOWORK: 'off' },
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(stdout) as GoFields;
}
