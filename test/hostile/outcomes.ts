import { isKubeError } from '@klutch/kube';

/** Attempts by what they try. */
export type Attempts = Readonly<Record<string, () => Promise<unknown>>>;

/** What became of each attempt: `done`, `forbidden`, or another error. They are made one after the other. */
export async function outcomesOf(attempts: Attempts): Promise<Readonly<Record<string, string>>> {
  const outcomes: [string, string][] = [];
  for (const [title, attempt] of Object.entries(attempts)) outcomes.push([title, await outcomeOf(attempt)]);
  return Object.fromEntries(outcomes);
}

/** The same outcome for all attempts. */
export function all(attempts: Attempts, outcome: 'done' | 'forbidden'): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(attempts).map((title) => [title, outcome]));
}

async function outcomeOf(attempt: () => Promise<unknown>): Promise<string> {
  try {
    await attempt();
    return 'done';
  } catch (error) {
    if (isKubeError(error, 'KUBE_FORBIDDEN')) return 'forbidden';
    return error instanceof Error ? error.message : 'failed';
  }
}
