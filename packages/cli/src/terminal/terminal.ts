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
}

export type Reader = 'screen' | 'coloured screen' | 'program';
