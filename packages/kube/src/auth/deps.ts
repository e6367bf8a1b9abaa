import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** A terminal that an exec plugin may talk to its user with: it inherits standard input, and its stderr is copied. */
export interface Terminal {
  readonly stderr: Writable;
}

/** What credentials need from the world; everything has a default. */
export interface CredentialDeps {
  /** Milliseconds since 1970. Default: the clock of the machine. */
  readonly now?: () => number;
  /** Environment of exec plugins. Default: that of the process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Given by interactive programs only; without it plugins run unattended. */
  readonly terminal?: Terminal;
  /** Milliseconds an exec plugin may take. Default one minute, with a terminal five: people log in there. */
  readonly execTimeoutMs?: number;
  /** Waits between two looks at files that are being replaced. Default: a timer. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** {@link CredentialDeps} with the defaults filled in. */
export type ResolvedDeps = Required<Omit<CredentialDeps, 'terminal'>> & Pick<CredentialDeps, 'terminal'>;

/** Fills in the defaults, which are written here only. */
export function withDefaults(deps: CredentialDeps): ResolvedDeps {
  return {
    now: deps.now ?? Date.now,
    env: deps.env ?? process.env,
    terminal: deps.terminal,
    execTimeoutMs: deps.execTimeoutMs ?? (deps.terminal ? 300_000 : 60_000),
    pause: deps.pause ?? ((milliseconds) => sleep(milliseconds)),
  };
}
