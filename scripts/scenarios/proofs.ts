/** On which tiers a scenario must be shown: `any` where no cluster has a part in it. */
export type RequiredTiers = 'both' | 'real' | 'any';

/** Which tests show a scenario: those under `test/`, or only those in which the real components meet. */
export type ProofKind = 'test' | 'end-to-end';

/** What counts as coverage of one scenario. */
export interface RequiredProof {
  readonly id: string;
  readonly tiers: RequiredTiers;
  readonly proof: ProofKind;
}

/** Components whose scenarios must all be covered. Add a component when it is finished, never take one out. */
export const finishedComponents: readonly string[] = ['konnector', 'backend', 'cli', 'catalog'];

/**
 * Files and folders in which the components themselves run and meet: command, backend process and konnector, as far as
 * the scenario is about them. No test here stands in for one of ours; issuers, browsers and Go components may be scripted.
 */
export const endToEndSuites: readonly string[] = [
  'test/bind/',
  'test/bundle/',
  'test/backend/app-cluster-binding-journey.test.ts',
  'test/backend/limits.test.ts',
  'test/backend/operations.test.ts',
  'test/backend/refusals.test.ts',
  'test/cli/crash-points-',
];

/** Reads the tab-separated list (id, tiers, proof) with its heading. Throws on a word that is not known. */
export function parseProofs(tsv: string): RequiredProof[] {
  const [, ...rows] = tsv.trimEnd().split('\n');
  return rows.map((row) => {
    const [id = '', tiers = '', proof = ''] = row.split('\t');
    if (!isTiers(tiers) || !isProof(proof)) throw new Error(`the proof of ${id} is not understood: ${row}`);
    return { id, tiers, proof };
  });
}

/** Whether a test in that file counts as such a proof. */
export function counts(proof: ProofKind, file: string): boolean {
  if (proof === 'end-to-end') return endToEndSuites.some((suite) => file.startsWith(suite));
  return file.startsWith('test/') && !file.startsWith('test/kit/');
}

function isTiers(text: string): text is RequiredTiers {
  return text === 'both' || text === 'real' || text === 'any';
}

function isProof(text: string): text is ProofKind {
  return text === 'test' || text === 'end-to-end';
}
