import type { Answer, Received } from '../client.ts';
import { masked } from '../mask.ts';

/** What a server made of a request, without what differs from run to run. */
export interface Verdict {
  readonly status: number;
  readonly warnings: readonly string[];
  /** What came of it, when it was accepted. */
  readonly object?: unknown;
  /** Why it was refused: causes in no order, or the message where there are none. */
  readonly problems?: readonly string[];
}

/** The part of an object that a comparison is about. */
export type View = (object: Received) => unknown;

/** The verdict in an answer. Kubernetes visits fields in no certain order, so lists of problems are sorted. */
export function verdictOf({ status, warnings, body }: Answer, view: View = masked): Verdict {
  const said = { status, warnings: warnings.toSorted() };
  return status < 300 ? { ...said, object: view(body) } : { ...said, problems: problemsIn(body) };
}

/** The verdict when the connection broke instead. */
export const noAnswer = (error: unknown): Verdict => ({ status: 0, warnings: [], problems: [String(error)] });

/** Whether a verdict is a yes. */
export const isAccepted = ({ status }: Verdict): boolean => status >= 200 && status < 300;

interface Details {
  readonly causes?: readonly { readonly field?: string; readonly reason?: string; readonly message?: string }[];
}

function problemsIn({ message, details }: Received): readonly string[] {
  const { causes = [] } = (details ?? {}) as Details;
  if (causes.length === 0) return [message.replace(firstOfMany, '$1')];
  const lines = causes.map(({ field, reason, message: text = '' }) => `${field} ${reason}: ${steady(text)}`);
  return [...new Set(lines)].filter((line) => !line.includes(contributed)).toSorted();
}

/** Said of the four most expensive rules; which these are among equals is chance. */
const contributed = 'contributed to estimated rule cost total';

/** Kubernetes gives the type of `self` another number in every compilation. */
const steady = (text: string) => text.replaceAll(/selfType\d+/g, 'selfType');

/** The first of several parts that cannot be read is another one each time. */
const firstOfMany = /^(.* cannot be handled as a \w+): .*$/;
