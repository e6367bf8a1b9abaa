import { type Command, InvalidArgumentError, Option } from 'commander';
import { addBackendFlags, type BackendFlags } from '../cluster/backend-flags.ts';
import { addConnectionFlags, type ConnectionFlags } from '../cluster/connection-flags.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { milliseconds } from './duration.ts';
import { GoFormsCommand } from './go-forms.ts';
import { addLoginFlags, type LoginFlags } from './login-flags.ts';

/** What both commands are told. Times are in milliseconds. */
export interface FinishFlags extends ConnectionFlags, BackendFlags {
  readonly acceptClaims?: string;
  readonly skipKonnector?: true;
  readonly konnectorImage?: string;
  readonly downgradeKonnector?: true;
  readonly wait?: true;
  readonly waitTimeout?: number;
  readonly output?: 'table' | 'json' | 'yaml' | 'name';
  readonly dryRun?: 'true' | 'all' | 'request' | 'false';
  readonly showSecrets?: true;
  /** As in Go: 6 and more shows requests. */
  readonly v?: number;
}

export interface BindFlags extends FinishFlags, LoginFlags {
  readonly api?: readonly string[];
  readonly clusterId?: string;
  readonly bundle?: true;
  /** Milliseconds. */
  readonly bundleLifetime?: number;
  readonly onUnbind?: 'Keep' | 'Remove' | 'Delete';
  /** False with `--no-guard`. */
  readonly guard?: boolean;
}

export interface ApiServiceFlags extends FinishFlags {
  readonly file?: string;
  readonly remoteKubeconfig?: string;
  readonly remoteKubeconfigNamespace?: string;
  readonly remoteKubeconfigName?: string;
  readonly remoteNamespace?: string;
}

/** `klutch bind` and `klutch bind apiservice`; also `kubectl bind`. */
export function addBind(program: Command, terminal: Terminal, version: string): void {
  const bind = new GoFormsCommand('bind')
    .copyInheritedSettings(program)
    .showHelpAfterError(`Try \`${program.name()} bind --help\`.`)
    .version(`klutch ${version}`, '--version', 'print the version')
    .enablePositionalOptions()
    .usage('[options] <url>')
    .description('Bind APIs of a provider: log in, choose APIs, and use them in this app cluster.')
    .argument('[url...]', 'address of the provider, as its operator published it; it usually ends in /export');
  const login = (flag: string, text: string) => new Option(flag, text).helpGroup('Login:');
  bind.addOption(
    login('--api <resource.group>', 'API to bind; repeatable (default: choose in the browser)').argParser(listed),
  );
  addLoginFlags(bind);
  bind.addOption(login('--cluster-id <id>', 'identity of this cluster (default: derived from namespace klutch-bind)'));
  const bundle = (flag: string, text: string) => new Option(flag, text).helpGroup('Bundle:');
  bind
    .addOption(
      bundle('--bundle', 'change nothing and print one file for kubectl apply or a GitOps controller; see below'),
    )
    .addOption(
      bundle(
        '--bundle-lifetime <time>',
        'how long it can be exchanged for a credential, at most 168h (default: 24h)',
      ).argParser(milliseconds),
    )
    .addOption(
      bundle(
        '--on-unbind <policy>',
        'what happens with objects when the file is deleted: Keep, Remove or Delete',
      ).choices(['Keep', 'Remove', 'Delete']),
    )
    .addOption(
      bundle('--no-guard', 'without the policy that keeps the konnector until all has ended (Kubernetes < 1.30)'),
    );
  addFinishFlags(bind);
  bind.addHelpText('after', () => explanations(`${program.name()} bind`));
  bind.action(async (urls: readonly string[]) => {
    if (urls.length === 0) return bind.help({ error: true });
    const flags = bind.opts<BindFlags>();
    refuseWithoutBundle(bind, flags);
    if (flags.bundle) {
      const { runBundle } = await import('./bind/run-bundle.ts');
      return runBundle(urls, flags, process.env, terminal);
    }
    const { runBind } = await import('./bind/run-bind.ts');
    await runBind(urls, flags, process.env, terminal);
  });
  addApiService(bind, terminal);
  program.addCommand(bind);
}

function refuseWithoutBundle(bind: Command, { bundle, bundleLifetime, onUnbind, guard }: BindFlags): void {
  const flag = [
    bundleLifetime !== undefined && '--bundle-lifetime',
    onUnbind !== undefined && '--on-unbind',
    guard === false && '--no-guard',
  ].find(Boolean);
  if (!bundle && flag) bind.error(`error: ${flag} belongs to --bundle.`);
}

function addApiService(bind: Command, terminal: Terminal): void {
  const command = bind
    .command('apiservice')
    .usage('[options] [<url> | -f <file> | -]')
    .description('Bind the APIs of an APIServiceExportRequest with an existing kubeconfig.')
    .argument('[url...]', 'address of the manifest, or - for standard input');
  const remote = (flag: string, text: string) => command.addOption(new Option(flag, text).helpGroup('Control plane:'));
  remote('-f, --file <file>', 'manifest of the request, YAML or JSON; - reads standard input');
  remote('--remote-kubeconfig <file>', 'kubeconfig for the control plane; takes precedence over a Secret');
  remote('--remote-kubeconfig-namespace <name>', 'namespace of a Secret in the app cluster with that kubeconfig');
  remote('--remote-kubeconfig-name <name>', 'name of that Secret');
  remote('--remote-namespace <name>', 'namespace on the control plane (default: of the kubeconfig)');
  command.addOption(new Option('--no-banner').hideHelp());
  addFinishFlags(command);
  command.action(async (urls: readonly string[]) => {
    if (urls.length > 1) return command.help({ error: true });
    const { runApiService } = await import('./bind/run-apiservice.ts');
    await runApiService(urls[0], command.optsWithGlobals<ApiServiceFlags>(), process.env, terminal);
  });
}

function addFinishFlags(command: Command): void {
  const add = (heading: string) => (flag: string, text: string) => {
    const option = new Option(flag, text).helpGroup(heading);
    command.addOption(option);
    return option;
  };
  const claims = add('Permission claims:');
  claims(
    '--accept-claims <all|none|file>',
    'decide without questions; a file has a line `secrets: yes` for each permission claim',
  );
  const konnector = add('Konnector:');
  konnector('--skip-konnector', 'do not deploy or update the konnector and its rights');
  konnector('--konnector-image <image>', 'image to deploy (default: that of this version)');
  konnector('--downgrade-konnector', 'replace a konnector that is newer than this command, too');
  const output = add('Output:');
  output('-o, --output <format>', 'table, json, yaml or name (default: table)').choices([
    'table',
    'json',
    'yaml',
    'name',
  ]);
  output('-d, --dry-run [what]', 'change nothing and print what would be written; see below').choices([
    'true',
    'false',
    'all',
    'request',
  ]);
  output('--show-secrets', 'with --dry-run: print the credential, too');
  output('--wait', 'wait until what is bound can be used');
  output('--wait-timeout <time>', 'how long to wait for provider and konnector (default: 10m)').argParser(milliseconds);
  addBackendFlags(command);
  addConnectionFlags(command);
  command.addOption(
    new Option('-v, --v <number>', 'as in Go: 6 and more shows requests').helpGroup('Output:').argParser(wholeNumber),
  );
  for (const flag of withoutEffect) command.addOption(new Option(flag).hideHelp());
}

/** Flags of the Go CLI that are accepted, so that scripts keep working. */
const withoutEffect = [
  '--allow-missing-template-keys',
  '--show-managed-fields',
  '--vmodule <patterns>',
  '--logging-format <format>',
  '--log-flush-frequency <time>',
  '--log-text-split-stream',
  '--log-text-info-buffer-size <size>',
];

function listed(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function wholeNumber(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A verbosity is a number.');
}

/** `command` is how the user calls it: `klutch bind`, or `kubectl bind`. */
const explanations = (command: string) => `
Bundles:
  ${command} <url> --bundle --api … > klutch.yaml
                       everything an app cluster needs, in one file: konnector, rights, bindings, and a token that the
                       konnector exchanges for its credential. It holds no credential for the control plane.
  kubectl apply -f klutch.yaml
                       in any order and as often as you like. One bundle is for one cluster.
  until kubectl delete --ignore-not-found -f klutch.yaml; do sleep 5; done
                       ends the bindings as --on-unbind says; until then, the konnector cannot be deleted.

Dry runs:
  --dry-run            writes nothing to the app cluster and prints all manifests, the credential hidden
  --dry-run=all -o …   the same, as yaml or json
  --dry-run -o yaml    as the Go CLI: prints the export requests alone, and stores the credential in a Secret
                       (named on standard error) with which \`bind apiservice -f\` goes on; --dry-run=request says the same
  The login itself makes the provider register this cluster, also in a dry run.

Environment:
  KUBECONFIG                       kubeconfig files, as kubectl reads them
  OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_TOKEN_URL, OIDC_SCOPE
                                   client credentials for --non-interactive
  BROWSER                          program that opens the address to log in at
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY
                                   proxies to providers, issuers and clusters, in either case
  NO_COLOR                         no colours

Progress and questions are on standard error; standard output holds the result. As in Go, bind apiservice without -o asks on
standard output.
Exit codes: 2 usage, 3 authentication, 4 authorisation, 5 timeout, 6 conflict, 7 declined, 8 provider or cluster.`;
