import { isDeepStrictEqual } from 'node:util';
import type { Answer, Client } from '../client.ts';
import type { Server } from '../server.ts';
import { noAnswer, type Verdict, verdictOf, type View } from './verdict.ts';

/** The two servers that must agree. */
export interface BothServers {
  readonly kubernetes: Server;
  readonly embedded: Server;
}

/** What each of them made of the same request. */
export interface Disagreement {
  readonly kubernetes: Verdict;
  readonly embedded: Verdict;
}

/** Sends the same to both, and returns what they say when that differs. */
export async function compare(
  { kubernetes, embedded }: BothServers,
  send: (admin: Client) => Promise<Answer>,
  view?: View,
): Promise<{ readonly verdict: Verdict; readonly disagreement?: Disagreement }> {
  const ask = ({ admin }: Server) => send(admin).then((answer) => verdictOf(answer, view), noAnswer);
  const [one, two] = await Promise.all([ask(kubernetes), ask(embedded)]);
  if (isDeepStrictEqual(one, two)) return { verdict: one };
  if (isDeepStrictEqual(withoutWords(one), withoutWords(two)) && (await saysSometimes(() => ask(kubernetes), two))) {
    return { verdict: one };
  }
  return { verdict: one, disagreement: { kubernetes: one, embedded: two } };
}

const withoutWords = ({ problems, ...verdict }: Verdict) => ({
  ...verdict,
  places: problems?.map((problem) => problem.split(':', 1)[0]),
});

const enoughTimes = 30;

/**
 * Whether a server has the same words for each problem, if not every time: which of several failures of a rule is told
 * depends in Kubernetes on the order in which Go happens to visit the keys of a map.
 */
async function saysSometimes(ask: () => Promise<Verdict>, { problems = [] }: Verdict): Promise<boolean> {
  const heard = new Set<string>();
  for (let times = 0; times < enoughTimes; times++) {
    for (const problem of (await ask()).problems ?? []) heard.add(problem);
    if (problems.every((problem) => heard.has(problem))) return true;
  }
  return false;
}

/** Does the same on both. */
export async function onBoth<T>(servers: BothServers, act: (server: Server) => Promise<T>): Promise<void> {
  await Promise.all([act(servers.kubernetes), act(servers.embedded)]);
}

/** Runs an action for every item, so many at a time, and returns the results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await act(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
