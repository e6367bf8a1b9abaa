import { CustomResourceDefinitions, KlutchError } from '@klutch/api';
import { openAppCluster } from '../../cluster/app-cluster.ts';
import type { ConnectionFlags } from '../../cluster/connection-flags.ts';
import { allBindings } from '../../manifests/served-by-konnector.ts';
import { exampleOf } from '../../services/example-of.ts';
import { type Plan, type Service, serviceOf } from '../../services/service-of.ts';
import { type OutputFormat, printResult, tableLines, yamlOf } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';

type ServiceFlags = ConnectionFlags & { readonly output: OutputFormat };

/** Prints all services of the app cluster, or everything about one. */
export async function showServices(name: string | undefined, flags: ServiceFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal);
  const services = await boundServices(flags, terminal);
  if (name !== undefined) return await showOne(chosen(services, name), flags.output, terminal);
  if (services.length === 0) progress.note('There are no services yet. Run `klutch bind <provider-url>`.');
  if (services.length === 0 && flags.output === 'table') return;
  await printResult(terminal, flags.output, overview(services));
  if (flags.output === 'table') progress.note('Run `klutch services <kind>` to see plans, parameters and an example.');
}

/** Prints a claim for `kubectl apply -f -`. It goes to the namespace of kubectl unless one is named. */
export async function printExample(name: string | undefined, flags: ServiceFlags, terminal: Terminal): Promise<void> {
  if (name === undefined) throw new KlutchError('KLUTCH_USAGE', '--example needs the name of a service.');
  const example = exampleOf(chosen(await boundServices(flags, terminal), name), flags.namespace);
  terminal.print(flags.output === 'json' ? JSON.stringify(example, undefined, 2) : await yamlOf(example));
}

async function boundServices(flags: ServiceFlags, terminal: Terminal): Promise<readonly Service[]> {
  const signal = terminal.untilInterrupted();
  const cluster = await openAppCluster(flags, {
    env: process.env,
    progress: createProgress(terminal),
    changes: false,
  });
  try {
    const bindings = await allBindings(cluster.client, signal);
    const definitions = cluster.client.resource(CustomResourceDefinitions);
    const found = await Promise.all(
      bindings.map(({ metadata }) => definitions.find({ name: metadata.name ?? '' }, { signal })),
    );
    return found.flatMap((crd) => (crd ? [serviceOf(crd)] : [])).sort((a, b) => a.api.localeCompare(b.api));
  } finally {
    await cluster.close();
  }
}

function chosen(services: readonly Service[], name: string): Service {
  const wanted = name.toLowerCase();
  const namesOf = ({ api, kind }: Service) => [api, api.split('.')[0], kind, kind.replace(/Instance$/, '')];
  const matching = services.filter((service) => namesOf(service).some((known) => known?.toLowerCase() === wanted));
  if (matching.length === 1 && matching[0]) return matching[0];
  const known = (matching.length > 1 ? matching : services).map(({ api }) => api).join(', ') || 'none';
  const problem = matching.length > 1 ? `${name} could be several services` : `There is no service ${name} here`;
  throw new KlutchError('KLUTCH_USAGE', `${problem}; choose one of: ${known}.`);
}

function overview(services: readonly Service[]) {
  return {
    table: {
      columns: ['Service', 'Kind', 'Plans', 'Description'],
      rows: services.map(({ api, kind, plans, description }) => [
        api,
        kind,
        plans.map((plan) => plan.name).join(', ') || '-',
        firstSentence(description),
      ]),
    },
    document: { services },
    names: services.map(({ api }) => api),
  };
}

async function showOne(service: Service, format: OutputFormat, terminal: Terminal): Promise<void> {
  const example = exampleOf(service, 'default');
  if (format !== 'table') {
    const document = { ...service, example };
    return printResult(terminal, format, { table: { columns: [], rows: [] }, document, names: [service.api] });
  }
  const lines = [
    `${service.kind} (${service.apiVersion})`,
    ...(service.description ? [service.description] : []),
    ...(service.documentation ? [`See ${service.documentation}`] : []),
    ...planLines(service.plans),
    '',
    ...tableLines(
      ['Parameter', 'Type', 'Required', 'Default', 'Values', 'Description'],
      service.parameters.map((parameter) => [
        `spec.${parameter.path}`,
        parameter.type,
        parameter.required ? 'yes' : 'no',
        parameter.default === undefined ? '' : JSON.stringify(parameter.default),
        parameter.values?.join(', ') ?? '',
        firstSentence(parameter.description),
      ]),
    ),
    '',
    'Example:',
    '',
    await yamlOf(example),
  ];
  for (const line of lines) terminal.print(line);
}

/** What plans cost and give, where the provider tells it; their names are among the parameters. */
function planLines(plans: readonly Plan[]): readonly string[] {
  const limits = [...new Set(plans.flatMap((plan) => Object.keys(plan.limits ?? {})))];
  if (!plans.some(({ cost, description }) => cost ?? description) && limits.length === 0) return [];
  const rows = plans.map(({ name, cost = '', description = '', limits: has = {} }) => [
    name,
    cost,
    ...limits.map((limit) => has[limit] ?? ''),
    description,
  ]);
  return ['', ...tableLines(['Plan', 'Cost', ...limits, 'Description'], rows)];
}

function firstSentence(text = ''): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0].replaceAll(/\s+/g, ' ') ?? text.replaceAll(/\s+/g, ' ');
}
