import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generatedFiles, generatedFolders } from './generated-files.ts';

// Writes all generated files, or with --check fails when one of them is not what would be written.

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

const files = await generatedFiles();

if (values.check) check();
else write();

function write(): void {
  for (const [path, content] of files) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  for (const path of strayFiles()) rmSync(join(root, path));
  console.log(`${files.size} files written`);
}

function check(): void {
  const outdated = [...files].flatMap(([path, content]) => difference(path, content));
  const problems = [...outdated, ...strayFiles().map((path) => `${path}: no longer generated`)];
  if (problems.length === 0) return;
  console.error(`${problems.join('\n')}\nRun \`npm run generate\` and commit the result.`);
  process.exitCode = 1;
}

function difference(path: string, content: string): string[] {
  const file = join(root, path);
  if (!existsSync(file)) return [`${path}: missing`];
  const actual = readFileSync(file, 'utf8').split('\n');
  const expected = content.split('\n');
  const line = Array.from({ length: Math.max(actual.length, expected.length) }).findIndex(
    (_, index) => actual[index] !== expected[index],
  );
  if (line < 0) return [];
  return [`${path}:${line + 1}: differs`, `  is:        ${actual[line] ?? ''}`, `  should be: ${expected[line] ?? ''}`];
}

function strayFiles(): string[] {
  return generatedFolders.flatMap((folder) => filesIn(join(root, folder))).filter((path) => !files.has(path));
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name).slice(root.length));
}
