import { type Command, Option } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { addControlPlaneFlags, type ControlPlaneFlags } from './backend-operations.ts';

/** What `klutch backend list` is told. */
export interface ListFlags extends ControlPlaneFlags {
  readonly output: 'table' | 'wide' | 'json' | 'yaml' | 'name';
  readonly tenant?: string;
  readonly leaseName: string;
}

/** What `klutch backend describe` is told. */
export interface DescribeFlags extends ControlPlaneFlags {
  readonly output: 'text' | 'json' | 'yaml';
  readonly leaseName: string;
}

/** `klutch backend list|describe` */
export function addBackendOverview(backend: Command, terminal: Terminal): void {
  const list = backend
    .command('list')
    .description(
      'Show all app clusters of a control plane: tenant, APIs, last contact, version of the konnector, end of the credential, and access.',
    )
    .addOption(
      new Option('-o, --output <format>', 'form of the result')
        .choices(['table', 'wide', 'json', 'yaml', 'name'])
        .default('table'),
    )
    .option('--tenant <name>', 'only app clusters of this tenant');
  addLeaseFlag(list);
  addControlPlaneFlags(list).action(async (flags: ListFlags) => {
    const { listAppClusters } = await import('./backend/list.ts');
    await listAppClusters(flags, process.env, terminal);
  });

  const describe = backend
    .command('describe')
    .description(
      'Show everything about one app cluster: problems with what to do, APIs, conditions, and what was done lately by whom.',
    )
    .argument('<cluster namespace>', 'the namespace that stands for the app cluster')
    .addOption(
      new Option('-o, --output <format>', 'form of the result').choices(['text', 'json', 'yaml']).default('text'),
    );
  addLeaseFlag(describe);
  addControlPlaneFlags(describe).action(async (namespace: string, flags: DescribeFlags) => {
    const { describeAppCluster } = await import('./backend/describe.ts');
    await describeAppCluster(namespace, flags, process.env, terminal);
  });
}

function addLeaseFlag(command: Command): void {
  command.option('--lease-name <name>', 'lease of the backend', 'klutch-backend');
}
