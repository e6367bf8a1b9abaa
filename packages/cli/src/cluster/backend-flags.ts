import { type Command, Option } from 'commander';
import { milliseconds } from '../commands/duration.ts';

/** How the user wants to reach the backend of a provider. */
export interface BackendFlags {
  /** Milliseconds. Default 30 s. */
  readonly timeout?: number;
  readonly backendCaFile?: string;
  readonly insecureSkipBackendTlsVerify?: true;
  readonly insecureHttp?: true;
}

/** Adds the flags by which commands are told how to reach the backend of a provider. */
export function addBackendFlags(command: Command): Command {
  const option = (flag: string, text: string) => new Option(flag, text).helpGroup('Backend:');
  return command
    .addOption(option('--timeout <time>', 'how long to wait for an answer (default: 30s)').argParser(milliseconds))
    .addOption(option('--backend-ca-file <file>', 'certificates that it must be signed by (default: of the system)'))
    .addOption(option('--insecure-skip-backend-tls-verify', 'do not verify the certificate of the backend'))
    .addOption(
      option('--insecure-http', 'send codes and credentials over plain http to other machines, too; for trials'),
    );
}
