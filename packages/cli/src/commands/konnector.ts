import { type Command, Option } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { addKonnectorInstallation } from './konnector-installation.ts';
import { ComponentCommand } from './component-command.ts';

/** `klutch konnector` */
export function addKonnector(program: Command, terminal: Terminal): void {
  const command = new ComponentCommand('konnector', 'control-plane-mode|log-(?:text|json)-split-stream')
    .copyInheritedSettings(program)
    .showHelpAfterError('Try `klutch konnector --help`.')
    .description(
      'Run a konnector: it copies claims of an app cluster to its control planes, and their status and credentials back.',
    )
    .addHelpText('after', environment);
  for (const [heading, flags] of Object.entries(flagGroups)) {
    for (const [flag, text] of flags) command.addOption(new Option(flag, text).helpGroup(heading));
  }
  for (const flag of withoutEffect) command.addOption(new Option(flag).hideHelp());
  command.action(async () => {
    const { runKonnector } = await import('./konnector/run.ts');
    await runKonnector(command.given, process.env, terminal);
  });
  addKonnectorInstallation(command, terminal);
  program.addCommand(command);
}

type Flag = readonly [flag: string, text: string];

const flagGroups: Readonly<Record<string, readonly Flag[]>> = {
  'Cluster:': [
    [
      '--kubeconfig <file>',
      "the cluster this konnector belongs to (default: KUBECONFIG, ~/.kube/config, the pod's service account)",
    ],
    ['--binding-namespace <name>', 'serve bindings of this namespace only (default: of all namespaces)'],
  ],
  'Control-plane mode:': [
    [
      '--control-plane-mode',
      'run on the control plane and reach the app cluster from there (default: run in, or for, the app cluster)',
    ],
    [
      '--app-cluster-kubeconfig-secret-name <name>',
      'Secret with a kubeconfig of the app cluster (required in this mode)',
    ],
    ['--app-cluster-kubeconfig-secret-namespace <name>', 'namespace of that Secret (required in this mode)'],
    ['--app-cluster-kubeconfig-secret-key <key>', 'key of that Secret (default: kubeconfig)'],
    ['--binding-root-namespace <name>', 'namespace of the bindings (required in this mode)'],
  ],
  'Work:': [
    ['--heartbeat-interval <time>', 'time between two heartbeats, at least 10s (default: 5m)'],
    ['--copy-labels <pattern>', 'labels to copy to the control plane, such as team/*; repeatable (default: *)'],
    ['--copy-annotations <pattern>', 'annotations to copy to the control plane; repeatable (default: *)'],
  ],
  'Replicas:': [
    [
      '--lease-name <name>',
      'name of the lease; of all replicas with the same lease, one is the leader (default: klutch-bind)',
    ],
    ['--lease-namespace <name>', 'namespace of the lease (default: POD_NAMESPACE, else kube-system)'],
  ],
  'Health and metrics:': [
    ['--health-host <address>', 'address to serve them on (default: all of the machine)'],
    ['--health-port <port>', 'port to serve them on; 0 takes any that is free, none serves nothing (default: 8080)'],
  ],
  'Logs:': [
    ['--log-level <level>', 'debug, info, warn or error (default: LOG_LEVEL, else info)'],
    ['--log-format <format>', 'json or pretty (default: pretty in a terminal, else json)'],
    ['-v, --v <number>', 'as in Go components: 4 and more is --log-level debug'],
    ['--logging-format <format>', 'as in Go components: json, or text for pretty'],
  ],
};

/** Logging flags of Go components that are accepted, so that old Deployments keep working. */
const withoutEffect = [
  '--vmodule <patterns>',
  '--log-flush-frequency <time>',
  '--log-text-split-stream',
  '--log-text-info-buffer-size <size>',
  '--log-json-split-stream',
  '--log-json-info-buffer-size <size>',
];

const environment = `
Environment:
  KUBECONFIG     kubeconfig files, as kubectl reads them
  LOG_LEVEL      see --log-level
  POD_NAME       names this replica in its lease and Events (default: the host name)
  POD_NAMESPACE  see --lease-namespace

Health is at /healthz, /livez and /readyz, metrics are at /metrics. Ctrl-C ends it in good order, a second one at once.
Other logging flags of Go components, such as --vmodule, are accepted and have no effect.`;
