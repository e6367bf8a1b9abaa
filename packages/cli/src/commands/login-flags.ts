import { type Command, Option } from 'commander';
import { milliseconds } from './duration.ts';

/** How to log in at a provider. */
export interface LoginFlags {
  readonly tenant?: string;
  /** Milliseconds. */
  readonly loginTimeout?: number;
  /** False with `--no-browser`. */
  readonly browser?: boolean;
  readonly deviceCode?: true;
  readonly nonInteractive?: true;
  readonly credentialsFile?: string;
}

/** Adds the flags of commands that log in. */
export function addLoginFlags(command: Command): void {
  const login = (flag: string, text: string) => new Option(flag, text).helpGroup('Login:');
  command
    .addOption(login('--no-browser', 'only print the address to log in at'))
    .addOption(login('--device-code', 'log in with a code on another machine, if the provider offers it'))
    .addOption(login('--non-interactive', 'log in as a machine with client credentials'))
    .addOption(
      login('--credentials-file <file>', 'client_id, client_secret, token_url and scope (default: OIDC_… variables)'),
    )
    .addOption(login('--tenant <name>', 'tenant to log in for, without a browser (default: the only one)'))
    .addOption(
      login('--login-timeout <time>', 'how long to wait for the login (default: 10m)').argParser(milliseconds),
    );
}
