import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './client.ts';
import { type Difference, differences } from './differences.ts';
import { openGaps } from './open-gaps.ts';
import { connectTo, type Server } from './server.ts';
import { type Target, targets } from './targets.ts';

/** What the checks of one area are written with. */
export interface Suite {
  /** One behaviour that all targets share. Its id in `differences.ts` is `area: title`. */
  check(title: string, body: (server: Server) => Promise<void>, options?: CheckOptions): void;
  /** Runs once per target before the checks. */
  prepare(body: (server: Server) => Promise<void>): void;
}

/** How a check runs. */
export interface CheckOptions {
  /** Begins at once with all others of the area that say so, for checks that mostly wait. */
  readonly concurrent?: boolean;
  /** Why the check cannot run on this machine. */
  readonly missing?: string;
}

const answersOfCheck = new AsyncLocalStorage<Answer[]>();

/**
 * Declares the checks of one area, once per target. A target that takes no part is reported as skipped.
 * @param defaults hold for every check that does not say otherwise
 */
export function conformance(area: string, body: (suite: Suite) => void, defaults: CheckOptions = {}): void {
  for (const target of targets()) {
    const title = `${area} on ${target.name}${target.missing === undefined ? '' : ` (${target.missing})`}`;
    describe.skipIf(target.missing !== undefined)(title, { meta: { tier: target.tier } }, () =>
      declare(area, target, body, defaults),
    );
  }
}

function declare(area: string, target: Target, body: (suite: Suite) => void, defaults: CheckOptions): void {
  let server: Server;
  const ids = new Set<string>();
  const beginnings: (() => void)[] = [];
  beforeAll(async () => {
    server = await connectTo(await target.start(), (answer) => answersOfCheck.getStore()?.push(answer));
  });
  afterAll(() => server?.close());

  body({
    prepare: (prepare) => beforeAll(() => prepare(server)),
    check: (title, behaviour, options) => {
      const { concurrent = false, missing } = { ...defaults, ...options };
      const id = `${area}: ${title}`;
      if (ids.has(id)) throw new Error(`two checks are called "${id}"`);
      ids.add(id);
      const difference = target.name === 'embedded' ? differences[id] : undefined;
      const test = difference ? () => expectDifference(difference, () => behaviour(server)) : () => behaviour(server);
      const name = missing === undefined ? title : `${title} (${missing})`;
      let run: () => Promise<void> = () => answersOfCheck.run([], test);
      if (concurrent && missing === undefined) {
        beginnings.push(() => {
          const outcome = run();
          // Whoever awaits the outcome below hears of its failure; until then it is not forgotten, only not yet due.
          outcome.catch(() => undefined);
          run = () => outcome;
        });
      }
      const isOpen = target.name === 'embedded' && openGaps.has(id);
      const declareTest = isOpen ? it.fails : it;
      declareTest(name, { skip: missing !== undefined }, () => run());
    },
  });

  // After whatever the area prepares. The runner's own concurrency stops at five, which is too few to wait side by side.
  beforeAll(() => {
    for (const begin of beginnings) begin();
  });

  const unknown = Object.keys(differences).filter((id) => id.startsWith(`${area}: `) && !ids.has(id));
  if (unknown.length > 0) throw new Error(`differences.ts names checks that do not exist: ${unknown.join('; ')}`);
}

async function expectDifference({ answer, why }: Difference, run: () => Promise<void>): Promise<void> {
  const failure = await run().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure, `the difference is gone, although: ${why}`).toBeDefined();
  const seen = (answersOfCheck.getStore() ?? []).map(({ status, body }) => ({ status, body }));
  expect(seen).toContainEqual(expect.objectContaining({ status: answer.status, ...bodyOf(answer) }));
}

function bodyOf({ body }: Difference['answer']): { body?: unknown } {
  return body === undefined ? {} : { body: expect.objectContaining(body) };
}
