import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KlutchError } from '@klutch/api';
import type { Terminal } from '../terminal/terminal.ts';
import type { ClaimPolicy } from './decide-claims.ts';

export interface ClaimPolicyOptions {
  /** `--accept-claims`: `all`, `none` or a file. */
  readonly acceptClaims?: string;
  /** Whether the user may be asked: standard input is not used for something else, and nobody forbade it. */
  readonly mayAsk: boolean;
  readonly signal?: AbortSignal;
}

/** Where a user is asked. */
export interface Questioner {
  /** Writes a line of a question. */
  readonly show: (line: string) => void;
  readonly input?: Terminal['input'];
}

/** Who decides about claims, as the command line says. Throws `KLUTCH_USAGE` when a file of answers cannot be used. */
export async function claimPolicy(
  { input: open, show }: Questioner,
  { acceptClaims, mayAsk, signal }: ClaimPolicyOptions,
): Promise<ClaimPolicy> {
  if (acceptClaims === 'all' || acceptClaims === 'none') return { kind: acceptClaims };
  if (acceptClaims !== undefined) return answersIn(acceptClaims);
  const input = mayAsk ? open?.() : undefined;
  if (input === undefined) return { kind: 'nobody' };
  return { kind: 'ask', ask: (text) => askUntilAnswered(text, show, () => input.line(signal)) };
}

async function askUntilAnswered(
  text: readonly string[],
  show: (line: string) => void,
  nextLine: () => Promise<string | undefined>,
): Promise<boolean> {
  for (;;) {
    for (const line of text) show(line);
    const answer = (await nextLine())?.trim().toLowerCase();
    if (answer === undefined) {
      const message =
        'The input ended before all permission claims were decided. Nothing was bound. Answer each, or decide with --accept-claims.';
      throw new KlutchError('KLUTCH_CLAIM_UNDECIDED', message);
    }
    if (answer === 'y' || answer === 'yes') return true;
    if (answer === 'n' || answer === 'no') return false;
  }
}

/** A file of answers: YAML or JSON with `<resource>[.<group>]: yes | no`. */
async function answersIn(file: string): Promise<ClaimPolicy> {
  const path = resolve(file);
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw unusable(path, `cannot be read (${cause.code ?? 'unknown'})`);
  });
  const { parse } = await import('yaml');
  const content = ((): unknown => {
    try {
      return parse(text);
    } catch {
      return undefined;
    }
  })();
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw unusable(path, 'is no map');
  const answers = new Map(Object.entries(content).map(([key, value]) => [key, answerOf(path, key, value)] as const));
  return { kind: 'list', source: path, answers };
}

function answerOf(path: string, key: string, value: unknown): boolean {
  const word = String(value).toLowerCase();
  if (['true', 'yes', 'y', 'accepted'].includes(word)) return true;
  if (['false', 'no', 'n', 'rejected'].includes(word)) return false;
  throw unusable(path, `says neither yes nor no to ${key}`);
}

function unusable(path: string, why: string): KlutchError {
  const message = `The file ${path} of --accept-claims ${why}. Write \`<resource>[.<group>]: yes\` or \`no\` for each permission claim, or use --accept-claims=all or =none.`;
  return new KlutchError('KLUTCH_USAGE', message);
}
