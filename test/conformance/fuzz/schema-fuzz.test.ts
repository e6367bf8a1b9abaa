import { describeReal } from '@klutch/kit/vitest';
import type fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Content,
  doubtfulSchema,
  fieldCase,
  kindCase,
  type SchemaCase,
} from '../../../packages/cel/src/testing/index.ts';
import { connectTo, type Server } from '../server.ts';
import { targets } from '../targets.ts';
import { type BothServers, inParallel } from './both-servers.ts';
import { compareDefinition, compareKind, type Finding } from './compare-kind.ts';
import { batch, originOf } from './field-batch.ts';
import { casesFrom, smallestCase } from './smallest-case.ts';

const seed = 20_260_501;
const fieldSchemas = { rounds: 7, each: 50 };
const kindSchemas = 24;
const doubtfulSchemas = 120;
/** At most this many objects for one schema. */
const trials = 16;
const wantedObjects = 2_000;
/** A failure takes its time to be made small. */
const timeout = 300_000;

describeReal('random schemas and objects get the same verdict from both servers', () => {
  let servers: BothServers;
  let kinds = 0;
  let objects = 0;
  beforeAll(async () => {
    const [kubernetes, embedded] = await Promise.all(targets().map(connected));
    if (kubernetes && embedded) servers = { kubernetes, embedded };
  });
  afterAll(() => Promise.all([servers?.kubernetes.close(), servers?.embedded.close()]));

  const nextKind = () => `Fuzz${(kinds += 1)}`;

  /** Everything about one kind on which the servers disagree; a definition that both refuse is fine. */
  const compareWhole = async (whole: SchemaCase<Content>): Promise<readonly Finding[]> => {
    const { isAccepted, findings } = await compareDefinition(servers, whole.schema);
    if (!isAccepted || findings.length > 0) return findings;
    objects += whole.trials.length;
    return compareKind(servers, nextKind(), whole);
  };

  /** Makes a failing case as small as possible and fails with it. */
  const failWith = async <T>(
    arbitrary: fc.Arbitrary<T>,
    { index, from, found }: Failing<T>,
    compareOne: (value: T) => Promise<readonly Finding[]>,
  ): Promise<never> => {
    const fails = async (one: T) => (await compareOne(one)).length > 0;
    const small = await smallestCase(arbitrary, { seed: from, index }, fails);
    const [finding] = small === undefined ? [] : await compareOne(small);
    const what = `case ${index} of seed ${from}`;
    if (small !== undefined && finding) return expect.fail(told(what, small, finding));
    return expect.fail(told(`${what}, which did not fail again`, found.value, found.finding));
  };

  it('when schemas may be wrong', { timeout }, async () => {
    const arbitrary = doubtfulSchema();
    const schemas = casesFrom(arbitrary, seed, doubtfulSchemas);
    const compareOne = async (schema: (typeof schemas)[number]) => (await compareDefinition(servers, schema)).findings;

    const found = await inParallel(schemas, 8, compareOne);

    const failing = firstFailing(schemas, found, seed);
    if (failing) await failWith(arbitrary, failing, compareOne);
  });

  it.each(Array.from({ length: fieldSchemas.rounds }, (_, round) => seed + round))(
    'for fields, seed %d',
    { timeout },
    async (from) => {
      const arbitrary = fieldCase(trials);
      const cases = casesFrom(arbitrary, from, fieldSchemas.each);
      const compareOne = (one: SchemaCase) => compareWhole(batch([one]));

      const definitions = await inParallel(cases, 8, (one) => compareDefinition(servers, batch([one]).schema));
      const refused = firstFailing(
        cases,
        definitions.map(({ findings }) => findings),
        from,
      );
      if (refused) await failWith(arbitrary, refused, compareOne);
      const accepted = cases.filter((_, index) => definitions[index]?.isAccepted);
      const [finding] = await compareWhole(batch(accepted));

      if (!finding) return;
      const { index, trial } = finding.trial === undefined ? { index: 0 } : originOf(accepted, finding.trial);
      const value = accepted[index] as SchemaCase;
      const found = { value, finding: { ...finding, trial } };
      await failWith(arbitrary, { index: cases.indexOf(value), from, found }, compareOne);
    },
  );

  it('for whole kinds with their status', { timeout }, async () => {
    const arbitrary = kindCase(trials);
    const cases = casesFrom(arbitrary, seed, kindSchemas);

    const found = await inParallel(cases, 3, compareWhole);

    const failing = firstFailing(cases, found, seed);
    if (failing) await failWith(arbitrary, failing, compareWhole);
  });

  it('for enough objects', () => {
    expect(objects).toBeGreaterThanOrEqual(wantedObjects);
  });
});

async function connected(target: ReturnType<typeof targets>[number]): Promise<Server> {
  return connectTo(await target.start(), () => undefined);
}

/** A case on which the servers disagree. */
interface Failing<T> {
  readonly index: number;
  /** The seed it is from. */
  readonly from: number;
  readonly found: { readonly value: T; readonly finding: Finding };
}

function firstFailing<T>(
  values: readonly T[],
  findings: readonly (readonly Finding[])[],
  from: number,
): Failing<T> | undefined {
  const index = findings.findIndex(([first]) => first !== undefined);
  const finding = findings[index]?.[0];
  return finding && { index, from, found: { value: values[index] as T, finding } };
}

function told(what: string, value: unknown, { request, trial, kubernetes, embedded }: Finding): string {
  const { schema, trials: tried } = asCase(value);
  return [
    `the servers disagree about "${request}" (${what})`,
    `schema:         ${JSON.stringify(schema)}`,
    ...(trial === undefined ? [] : [`object:         ${JSON.stringify(tried[trial])}`]),
    `kube-apiserver: ${JSON.stringify(kubernetes)}`,
    `embedded:       ${JSON.stringify(embedded)}`,
  ].join('\n');
}

/** A schema that was tried without objects is a case as well. */
function asCase(value: unknown): SchemaCase {
  const isCase = typeof value === 'object' && value !== null && 'trials' in value;
  return isCase ? (value as SchemaCase) : { schema: value as SchemaCase['schema'], trials: [] };
}
