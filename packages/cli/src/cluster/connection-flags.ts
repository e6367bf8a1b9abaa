import { type Command, Option } from 'commander';

/** How the user wants to reach the app cluster; names as commander gives them. */
export interface ConnectionFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly server?: string;
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  readonly certificateAuthority?: string;
  readonly insecureSkipTlsVerify?: true;
  readonly tlsServerName?: string;
  readonly proxyUrl?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly asUid?: string;
}

/** Adds the flags by which every command that works on the app cluster is told how to reach it, as kubectl has them. */
export function addConnectionFlags(command: Command): Command {
  for (const [flag, text] of flags) command.addOption(new Option(flag, text).helpGroup('App cluster:'));
  const group = new Option('--as-group <name>', 'with --as: a group to act as; repeatable').helpGroup('App cluster:');
  command.addOption(group.argParser((value, before: readonly string[] = []) => [...before, value]));
  return command.addOption(new Option('--disable-compression').hideHelp());
}

const flags: readonly (readonly [flag: string, text: string])[] = [
  ['--kubeconfig <file>', 'kubeconfig of the app cluster (default: KUBECONFIG, else ~/.kube/config)'],
  ['--context <name>', 'context of the kubeconfig (default: the current one)'],
  ['--cluster <name>', 'cluster entry of the kubeconfig in place of the one of the context'],
  ['--user <name>', 'user entry of the kubeconfig in place of the one of the context'],
  ['-n, --namespace <name>', 'namespace of the context'],
  ['--server <url>', 'address of the API server'],
  ['--token <token>', 'bearer token; other users of the machine may see it'],
  ['--username <name>', 'user name for basic authentication'],
  ['--password <text>', 'password for basic authentication'],
  ['--certificate-authority <file>', 'certificates that the API server must be signed by'],
  ['--insecure-skip-tls-verify', 'do not verify the certificate of the API server'],
  ['--tls-server-name <name>', 'name that the certificate of the API server must have'],
  ['--proxy-url <url>', 'proxy to the API server'],
  ['--as <name>', 'user to act as'],
  ['--as-uid <uid>', 'with --as: UID to act as'],
];
