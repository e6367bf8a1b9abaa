import { expect } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { install } from '../definition.ts';
import { inCluster } from '../paths.ts';
import { conformance } from '../suite.ts';
import { catalogueRows, type Outcome, type Row } from './catalogue-rows.ts';
import { catalogue } from './catalogue-schemas.ts';

const group = 'catalogue.conf.example';

conformance('rules of the catalogue', ({ check, prepare }) => {
  prepare(async ({ admin }) => {
    const kinds = Object.entries(catalogue);
    await Promise.all(kinds.map(([kind, schema]) => install(admin, { group, kind, scope: 'Cluster', schema })));
  });

  for (const [index, row] of catalogueRows.entries()) {
    check(titleOf(row), async ({ admin }) => {
      expectOutcome(await play(admin, row, index), row.outcome);
    });
  }
});

function titleOf({ kind, before, spec, outcome }: Row): string {
  const what = before ? `${JSON.stringify(before)} to ${JSON.stringify(spec)}` : JSON.stringify(spec);
  return `${outcome === 'accepted' ? 'accept' : 'refuse'} ${kind} ${what}`;
}

async function play(admin: Client, { kind, before, spec }: Row, index: number): Promise<Answer> {
  const objects = inCluster(`${group}/v1/${kind.toLowerCase()}s`);
  const claim = (content: object) => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name: `claim-${index}` },
    spec: content,
  });
  if (!before) return admin.post(`${objects()}?dryRun=All`, claim(spec));
  const { metadata } = await admin.create(objects(), claim(before));
  return admin.put(`${objects(metadata.name)}?dryRun=All`, { ...claim(spec), metadata });
}

interface Details {
  readonly causes?: readonly { readonly field: string; readonly message: string }[];
}

function expectOutcome({ status, body }: Answer, outcome: Outcome): void {
  const { causes = [] } = (body.details ?? {}) as Details;
  const wanted = outcome === 'accepted' ? [] : outcome;
  expect(causes.map(({ field, message }) => [field, message])).toEqual(
    wanted.map(([field, says]) => [field, expect.stringContaining(says)]),
  );
  expect(status === 422).toBe(wanted.length > 0);
}
