import { type AppClusterOverview, appClustersIn } from '../../overview/app-cluster.ts';
import { type BackendOverview, observe, observeBackends } from '../../overview/observe.ts';
import { ageOf } from '../../status/age.ts';
import { printResult } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { ListFlags } from '../backend-overview.ts';
import { openControlPlane } from './control-plane.ts';
import { backendProblems } from './describe-text.ts';

/** Prints all app clusters of a control plane. */
export async function listAppClusters(flags: ListFlags, env: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const plane = await openControlPlane(flags, env);
  try {
    const [observed, backends] = await Promise.all([
      observe(plane.client, signal),
      observeBackends(plane.client, flags.leaseName, signal),
    ]);
    for (const problem of backendProblems(backends)) progress.warn(problem);
    if (observed.credentials === undefined) {
      progress.warn('You may not list Secrets, so it is not shown when credentials end.');
    }
    const all = appClustersIn(observed);
    const shown = all.filter(({ tenant }) => flags.tenant === undefined || tenant === flags.tenant);
    if (shown.length === 0 && (flags.output === 'table' || flags.output === 'wide')) {
      return progress.note('No app cluster is bound.');
    }
    const isWide = flags.output === 'wide';
    await printResult(terminal, isWide ? 'table' : flags.output, resultOf(shown, backends, isWide, new Date()));
  } finally {
    await plane.close();
  }
}

function resultOf(
  clusters: readonly AppClusterOverview[],
  backends: readonly BackendOverview[],
  isWide: boolean,
  now: Date,
) {
  const columns = ['Tenant', 'Cluster namespace', 'APIs', 'Last contact', 'Konnector', 'Credential ends', 'Access'];
  const wide = ['Cluster id', 'Bound by', 'Namespaces', 'Problems'];
  const age = (text: string | undefined, otherwise: string) => (text ? ageOf(new Date(text), now) : otherwise);
  return {
    table: {
      columns: isWide ? [...columns, ...wide] : columns,
      rows: clusters.map((one) => [
        one.tenant || '-',
        one.namespace,
        isWide ? one.apis.map(({ name }) => name).join(',') || '-' : String(one.apis.length),
        age(one.lastHeartbeat, 'never'),
        one.konnectorVersion ?? '-',
        age(one.credentialEnds, '-'),
        accessText(one, now),
        ...(isWide ? wideCells(one) : []),
      ]),
    },
    document: { backends, appClusters: clusters },
    names: clusters.map(({ namespace }) => `namespace/${namespace}`),
  };
}

function wideCells(one: AppClusterOverview): readonly string[] {
  const problems = [
    ...one.problems,
    ...one.apis.flatMap(({ name, problem }) => (problem ? [`${name}: ${problem}`] : [])),
  ];
  return [
    one.appClusterBinding ?? one.clusterId ?? '-',
    one.boundBy ?? '-',
    String(one.serviceNamespaces.length),
    problems.join('; ') || '-',
  ];
}

function accessText({ access, accessEnds }: AppClusterOverview, now: Date): string {
  if (access !== 'ExpiresSoon' || accessEnds === undefined) return access;
  return `Expires ${ageOf(new Date(accessEnds), now)}`;
}
