import type { Input } from './input.ts';

/** Where a command speaks to its user. */
export interface Terminal {
  /** Writes a line of what was asked for, on standard output. */
  print(text: string): void;
  /** Writes a line about what is going on, on standard error. */
  tell(text: string): void;
  /** Who reads what is told: a person at a screen, with colours or without, or a program. */
  readonly reader: Reader;
  /** Aborts when the user wants the command to end. A user who wants that twice does not wait any longer. */
  untilInterrupted(): AbortSignal;
  /** Shows a line below what was told, in place of the one before; empty takes it away. Absent where nobody watches. */
  readonly draw?: (line: string) => void;
  /** What the user types or pipes in; the same for the whole command. Absent: nothing ever comes. */
  readonly input?: () => Input;
}

export type Reader = 'screen' | 'coloured screen' | 'program';
