import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runKlutch, scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import type { ClaimJudge, Question, Verdict } from './judges.ts';
import type { Spec } from './matrix/index.ts';

/** Judges by what `klutch plan` says about these questions, which it is asked all at once when somebody wants to know. */
export function planJudge(questions: readonly Question[]): ClaimJudge {
  let verdicts: Promise<ReadonlyMap<Question, Verdict>> | undefined;
  return {
    ask: async (question) => {
      verdicts ??= verdictsOf(questions);
      const verdict = (await verdicts).get(question);
      if (!verdict) throw new Error(`klutch plan was not asked about ${JSON.stringify(question)}`);
      return verdict;
    },
    close: async () => undefined,
  };
}

async function verdictsOf(questions: readonly Question[]): Promise<ReadonlyMap<Question, Verdict>> {
  const [creates, changes] = [false, true].map((isChange) =>
    questions.filter(({ before }) => (before !== undefined) === isChange),
  );
  return new Map([
    ...(await verdictsOn(creates ?? [])),
    ...(await verdictsOn(
      changes ?? [],
      changes?.map(({ before = {} }) => before),
    )),
  ]);
}

async function verdictsOn(
  questions: readonly Question[],
  before?: readonly Spec[],
): Promise<readonly (readonly [Question, Verdict])[]> {
  const folder = await scratchFolder();
  const written = async (name: string, specs: readonly Spec[]): Promise<string> => {
    const claims = specs.map((spec, at) => ({
      apiVersion: 'anynines.com/v1',
      kind: questions[at]?.kind,
      metadata: { name: `claim-${at}` },
      spec,
    }));
    await writeFile(join(folder, name), claims.map((claim) => JSON.stringify(claim)).join('\n---\n'));
    return join(folder, name);
  };
  const now = await written(
    'now.yaml',
    questions.map(({ spec }) => spec),
  );
  const change = before ? ['--change', await written('before.yaml', before)] : [];
  const run = runKlutch(['plan', '-f', now, ...change, '-o', 'json']);
  await run.ended();
  const { claims } = JSON.parse(run.out()) as { readonly claims: readonly Plan[] };
  return questions.map((question, at) => [question, verdictOf(claims[at])]);
}

interface Plan {
  readonly outcome: string;
  readonly refusals: readonly { readonly field: string; readonly message: string }[];
}

function verdictOf(plan: Plan | undefined): Verdict {
  if (!plan) throw new Error('klutch plan left a claim out');
  const said = plan.refusals.map(({ field, message }) => `${field}: ${message}`).join(', ');
  return { accepted: plan.outcome !== 'refused', said };
}
