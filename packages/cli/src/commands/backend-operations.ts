import { type Command, Option } from 'commander';
import type { ConnectionFlags } from '../cluster/connection-flags.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { milliseconds } from './duration.ts';

/** How the control plane is reached. */
export type ControlPlaneFlags = Pick<ConnectionFlags, 'kubeconfig' | 'context' | 'as'>;

/** What `klutch backend manifests` is told. */
export interface ManifestFlags extends ControlPlaneFlags {
  readonly namespace: string;
  readonly image?: string;
  readonly template?: readonly string[];
  readonly appClusterNamespace?: readonly string[];
}

/** What the commands on an app cluster are told. */
export interface AccessFlags extends ControlPlaneFlags {
  readonly yes?: true;
  readonly waitTimeout: number;
}

/** `klutch backend manifests|crds|revoke|restore|purge` */
export function addBackendOperations(backend: Command, terminal: Terminal): void {
  // Flags after the name of a sub-command are the sub-command's, although the backend has some of the same names.
  backend.enablePositionalOptions();
  const manifests = backend
    .command('manifests')
    .description(
      'Print the manifests of the backend, with exactly the rights it needs for what the templates of the control plane offer and the policies that narrow them. Apply them again when you change templates by hand; klutch catalog apply gives the rights for its own.',
    )
    .argument('[flags...]', 'flags of the backend, after --')
    .option('-n, --namespace <name>', 'namespace of the backend', 'bind')
    .option('--image <image>', 'image of the backend (default: the one of this version)')
    .option('--template <file...>', 'files with templates, in place of those of the control plane')
    .option(
      '--app-cluster-namespace <name...>',
      'namespaces whose AppClusterBindings the backend may serve, and whose Secrets it may read for that',
    );
  addControlPlaneFlags(manifests).action(async (args: readonly string[], flags: ManifestFlags) => {
    const { printBackendManifests } = await import('./backend/print-manifests.ts');
    await printBackendManifests(args, flags, terminal);
  });
  backend
    .command('crds')
    .description('Print the CRDs that a control plane needs, in the order in which they can be applied.')
    .action(async () => {
      const { printCrds } = await import('./backend/print-crds.ts');
      await printCrds(terminal);
    });
  for (const [name, description] of operations) {
    const command = backend
      .command(name)
      .description(description)
      .argument('<cluster namespace>', 'the namespace that stands for the app cluster')
      .option('-y, --yes', 'do not ask')
      .addOption(
        new Option('--wait-timeout <time>', 'how long to wait until the backend has done it')
          .argParser(milliseconds)
          .default(120_000, '2m'),
      );
    addControlPlaneFlags(command).action(async (namespace: string, flags: AccessFlags) => {
      const { changeAccess } = await import('./backend/change-access.ts');
      await changeAccess(name, namespace, flags, terminal);
    });
  }
}

const operations = [
  ['revoke', 'Take all access to the control plane from an app cluster, at once. Its data stays.'],
  ['restore', 'Let an app cluster whose access was revoked be bound again.'],
  ['purge', 'Delete an app cluster whose access was revoked from the control plane, with all its data.'],
] as const;

/** What can be done to an app cluster. */
export type Operation = (typeof operations)[number][0];

/** Adds the flags that name the control plane. */
export function addControlPlaneFlags(command: Command): Command {
  const flags = [
    ['--kubeconfig <file>', 'kubeconfig of the control plane (default: KUBECONFIG, else ~/.kube/config)'],
    ['--context <name>', 'context of the kubeconfig (default: the current one)'],
    ['--as <name>', 'user to act as'],
  ] as const;
  for (const [flag, text] of flags) command.addOption(new Option(flag, text).helpGroup('Control plane:'));
  return command;
}
