import type { ExitClass } from '@klutch/api';

/** A command cannot do what it was asked for, for a reason that only commands have; the message says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exit: ExitClass;

  constructor(exit: ExitClass, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
  }
}
