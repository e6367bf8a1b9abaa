import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './client.ts';
import { otherAnswers } from './differences.ts';
import { connectTo, type Server } from './server.ts';
import { type Target, targets } from './targets.ts';

/** What the checks of one area are written with. */
export interface Suite {
  /** One behaviour that all targets share. Its id is `area: title`. */
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

/** Far more than any check takes; a thousand connections need a while on a busy machine. */
const checkLimitMs = 180_000;

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
  }, checkLimitMs);
  afterAll(() => server?.close());

  body({
    prepare: (prepare) => beforeAll(() => prepare(server), checkLimitMs),
    check: (title, behaviour, options) => {
      const { concurrent = false, missing } = { ...defaults, ...options };
      const id = `${area}: ${title}`;
      if (ids.has(id)) throw new Error(`two checks are called "${id}"`);
      ids.add(id);
      const difference = target.name === 'embedded' ? otherAnswers.get(id) : undefined;
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
      it(name, { skip: missing !== undefined, timeout: checkLimitMs }, () => run());
    },
  });

  // After whatever the area prepares. The runner's own concurrency stops at five, which is too few to wait side by side.
  beforeAll(() => {
    for (const begin of beginnings) begin();
  });

  const unknown = [...otherAnswers.keys()].filter((id) => id.startsWith(`${area}: `) && !ids.has(id));
  if (unknown.length > 0) throw new Error(`differences.ts names checks that do not exist: ${unknown.join('; ')}`);
}

async function expectDifference({ why, status, body }: Difference, run: () => Promise<void>): Promise<void> {
  const failure = await run().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure, `the difference is gone, although this is one: ${why}`).toBeDefined();
  const seen = (answersOfCheck.getStore() ?? []).map((answer) => ({ status: answer.status, body: answer.body }));
  const expected = body === undefined ? { status } : { status, body: expect.objectContaining(body) as object };
  expect(seen).toContainEqual(expect.objectContaining(expected));
}

type Difference = NonNullable<ReturnType<(typeof otherAnswers)['get']>>;
