import { KlutchError } from '@klutch/api';
import type { Terminal } from './terminal.ts';

/**
 * Asks whether to go on. Throws `KLUTCH_DECLINED` unless the answer is yes, and `KLUTCH_USAGE` when nobody can be asked.
 */
export async function confirm(terminal: Terminal, question: string, signal?: AbortSignal): Promise<void> {
  const input = terminal.input?.();
  if (input === undefined || !input.isTyped) {
    throw new KlutchError(
      'KLUTCH_USAGE',
      `${question} There is no terminal to ask on, so nothing was changed. Confirm with --yes.`,
    );
  }
  terminal.tell(`${question} [No,Yes]`);
  try {
    const answer = (await input.line(signal))?.trim().toLowerCase();
    if (answer === 'y' || answer === 'yes') return;
  } finally {
    input.close();
  }
  throw new KlutchError('KLUTCH_DECLINED', 'Nothing was changed.');
}
