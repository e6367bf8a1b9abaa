import { expect, it } from 'vitest';
import { problemsWith } from '../small-catalogue.fixture.ts';

type Row = readonly [what: string, layer: Readonly<Record<string, string>>, ...problems: string[]];

/** A table of layers over the small catalogue, and of everything that is said about them. */
export function says(rows: readonly Row[]): void {
  it.each(rows.map(([what, ...row]) => [what, row] as const))('finds %s', (_, [layer, ...problems]) => {
    expect(problemsWith(layer)).toEqual(problems);
  });
}

/** Over the service that is there. */
export const cache = (lines: string) => ({ 'services/cache': lines });

/** A second service, whose lines after the fourth are free. */
export const queue = (lines: string, kind = 'QueueInstance') => ({
  'services/queue': `service: queue\nkind: ${kind}\ndisplayName: Queue\ndescription: Keeps things in order.\n${lines}`,
});
