import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../testing/run-in-process.ts';
import { scratchFolder } from '../testing/run-klutch.ts';

const claim = (plan: string, more = '') => `apiVersion: anynines.com/v1
kind: PostgresqlInstance
metadata: { name: db, namespace: team }
spec: { service: a9s-postgresql14, plan: ${plan}${more} }
`;

/** Runs `klutch plan` on the texts of files. */
async function plan(now: string, before?: string, ...args: readonly string[]) {
  const folder = await scratchFolder();
  await writeFile(join(folder, 'now.yaml'), now);
  if (before !== undefined) await writeFile(join(folder, 'before.yaml'), before);
  const change = before === undefined ? [] : ['--change', join(folder, 'before.yaml')];
  const run = runCommand(['plan', '-f', join(folder, 'now.yaml'), ...change, ...args]);
  return { code: await run.ended(), out: run.out(), err: run.err() };
}

describe('klutch plan', () => {
  it('shows what a claim would create', async () => {
    const { code, out } = await plan(claim('postgresql-single-small'));
    expect(code).toBe(0);
    expect(out).toContain('PostgresqlInstance team/db would be created. Composed by a8s-postgresql:');
    expect(out).toContain('volumeSize: 10Gi');
  });

  it('shows what a change would change', async () => {
    const { code, out } = await plan(claim('postgresql-single-big'), claim('postgresql-single-small'));
    expect(code).toBe(0);
    expect(out).toContain('volumeSize: "10Gi" -> "100Gi"');
    const same = await plan(claim('postgresql-single-small'), claim('postgresql-single-small'));
    expect(same.out).toContain('stays as it is');
  });

  it.each<[string, string, string | undefined, string]>([
    ['an unknown plan', claim('postgresql-single-tiny'), undefined, 'spec.plan: Unsupported plan used'],
    [
      'a smaller plan',
      claim('postgresql-single-small'),
      claim('postgresql-single-big'),
      'smaller plan size is not supported',
    ],
    [
      'a parameter of another backend',
      claim('postgresql-single-small', ', parameters: { workMem: 1MB }'),
      undefined,
      'spec.parameters.workMem: ',
    ],
    [
      'an unknown kind',
      claim('x').replace('PostgresqlInstance', 'PostgreSQLInstance'),
      undefined,
      'unknown kind "PostgreSQLInstance"',
    ],
  ])('says why it refuses %s', async (_, now, before, reason) => {
    const { code, out, err } = await plan(now, before);
    expect(code).toBe(2);
    expect(out).toContain('would be refused:');
    expect(out).toContain(reason);
    expect(err).toMatch(/^Error: The control plane would refuse /);
  });

  it('knows the catalogue of an operator, and answers programs', async () => {
    const folder = await scratchFolder();
    const { out } = await plan(claim('postgresql-single-small'), undefined, '--catalog', folder, '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({
      claims: [{ kind: 'PostgresqlInstance', name: 'db', outcome: 'created', composition: 'a8s-postgresql' }],
    });
  });

  it('says that it cannot tell what another Composition composes', async () => {
    const binding = `apiVersion: anynines.com/v1
kind: ServiceBinding
metadata: { name: b }
spec: { instanceRef: db, serviceInstanceType: postgresql, compositionRef: { name: mine } }
`;
    const { code, out } = await plan(binding);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('It cannot be told what is composed: there is no Composition mine.'),
    });
  });

  it.each<[string, string, string | undefined, string]>([
    ['no claim', '', undefined, 'holds no claim'],
    ['something else', 'a: 1', undefined, 'without kind and metadata.name'],
    ['no YAML', 'a: [', undefined, 'is not YAML'],
    ['another claim', claim('x'), claim('x').replace('db', 'other'), 'has no PostgresqlInstance team/db'],
  ])('says that a file has %s', async (_, now, before, text) => {
    expect(await plan(now, before)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(text) });
  });
});
