import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { clusterScopedCrds, crds, errorCatalogue } from '@klutch/api';
import { kubeErrorCodes } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { generatedFiles } from './generated-files.ts';

const root = new URL('..', import.meta.url);
const files = await generatedFiles();

describe('generated files', () => {
  it.each([...files.keys()])('%s is up to date', (path) => {
    expect(readFileSync(new URL(path, root), 'utf8'), 'Run `npm run generate` and commit the result.').toBe(
      files.get(path),
    );
  });

  it('are the same every time', async () => {
    expect([...(await generatedFiles())]).toEqual([...files]);
  });

  it('pass the check of the script, which also finds files that are no longer generated', () => {
    const script = ['--conditions', 'klutch-source', '--import', 'tsx', 'scripts/generate.ts', '--check'];

    expect(() => execFileSync(process.execPath, script, { cwd: root, stdio: 'pipe' })).not.toThrow();
  });
});

describe('CRD manifests', () => {
  const manifests = [...files].filter(([path]) => path.startsWith('packages/api/crds/'));

  it.each(['1.1', '1.2'] as const)('say in YAML %s what the CRDs say', (version) => {
    const read = manifests.map(([, text]) => parse(text, { version }) as unknown);

    expect(read).toEqual([...crds, ...clusterScopedCrds]);
  });
});

describe('the reference of error codes', () => {
  const page = files.get('docs/reference/errors.md') ?? '';
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(' | '));

  it('lists every code once, and no other', () => {
    const codes = [...Object.keys(errorCatalogue), ...Object.keys(kubeErrorCodes)];

    expect(rows.map(([code]) => code)).toEqual(codes.map((code) => `\`${code}\``));
  });

  it.each(Object.entries(errorCatalogue))('says about %s what the catalogue says', (code, entry) => {
    const row = rows.find(([cell]) => cell === `\`${code}\``);
    const httpStatus = 'httpStatus' in entry ? String(entry.httpStatus) : '';

    expect(row).toEqual([`\`${code}\``, entry.meaning, entry.remedy, httpStatus, entry.exit]);
  });

  it.each(Object.entries(kubeErrorCodes))('says about %s what the runtime says', (code, meaning) => {
    expect(rows).toContainEqual([`\`${code}\``, meaning]);
  });
});
