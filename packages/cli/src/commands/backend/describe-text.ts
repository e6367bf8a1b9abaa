import type { Condition } from '@klutch/api';
import type { AppClusterOverview } from '../../overview/app-cluster.ts';
import type { BackendOverview } from '../../overview/observe.ts';
import { ageOf } from '../../status/age.ts';
import { tableLines } from '../../terminal/output.ts';
import type { RecentEvent } from './describe.ts';

/** What is shown of one app cluster. */
export interface Described {
  readonly appCluster: AppClusterOverview;
  readonly conditions: readonly Condition[];
  readonly events: readonly RecentEvent[];
  readonly backends: readonly BackendOverview[];
}

/** Pure: an app cluster in words, problems with their next steps first. */
export function describeText({ appCluster, conditions, events, backends }: Described, now: Date): readonly string[] {
  const { apis, serviceNamespaces } = appCluster;
  const at = (text: string | undefined, otherwise: string) =>
    text ? `${text} (${ageOf(new Date(text), now)})` : otherwise;
  const facts = [
    ['Cluster namespace', appCluster.namespace],
    ['Tenant', appCluster.tenant || 'none: it was bound by a backend in Go'],
    ['Cluster id', appCluster.clusterId ?? '-'],
    ['AppClusterBinding', appCluster.appClusterBinding ?? '-'],
    ['Last bound by', appCluster.boundBy ?? '-'],
    ['Access', appCluster.access],
    ['Konnector', appCluster.konnectorVersion ?? 'has not reported yet'],
    ['Last contact', at(appCluster.lastHeartbeat, 'never')],
    ['Credential ends', at(appCluster.credentialEnds, 'there is none, or you may not list Secrets')],
    ['Namespaces', serviceNamespaces.join(', ') || 'none'],
  ].filter(([name, value]) => name !== 'AppClusterBinding' || value !== '-');
  const problems = [...problemsOf(appCluster), ...backendProblems(backends)];
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
  return [
    ...factLines(facts),
    ...section('Problems', problems),
    ...section(
      'APIs',
      apis.length === 0 ? ['none'] : apis.map(({ name, problem }) => (problem ? `${name} (withheld)` : name)),
    ),
    ...section('Conditions', conditionLines(conditions)),
    ...section('Events', eventLines(events, now)),
  ];
}

/** Pure: what is wrong with the backends of a control plane, and what to do. */
export function backendProblems(backends: readonly BackendOverview[]): readonly string[] {
  if (backends.length === 0)
    return ['No backend was found: none has a lease. Start one, or name its lease with --lease-name.'];
  return backends.flatMap(({ namespace, policyInForce }) =>
    policyInForce === false
      ? [
          `The admission policy of the backend in namespace ${namespace} is not in force, so its rights are wider than they should be. Apply \`klutch backend manifests\` again; Kubernetes 1.30 or later is needed.`,
        ]
      : [],
  );
}

function problemsOf({ access, accessEnds, namespace, apis, problems }: AppClusterOverview): readonly string[] {
  const steps: Readonly<Record<AppClusterOverview['access'], readonly string[]>> = {
    Granted: [],
    ExpiresSoon: [`Nothing is heard from the konnector. Access ends at ${accessEnds}, unless it reports before.`],
    Expired: [
      'Access has expired, since nothing was heard from the konnector. `klutch bind` in the app cluster gives it back.',
    ],
    Revoked: [`Access was revoked. \`klutch backend restore ${namespace}\` lets the app cluster be bound again.`],
    BeingRemoved: ['The namespace is being deleted.'],
  };
  return [
    ...steps[access],
    ...apis.flatMap(({ name, problem }) => (problem ? [`${name}: ${problem}`] : [])),
    ...problems.filter((problem) => !problem.startsWith('CredentialValid:') || access === 'Granted'),
  ];
}

function factLines(facts: readonly (readonly (string | undefined)[])[]): readonly string[] {
  const width = Math.max(...facts.map(([name = '']) => name.length)) + 2;
  return facts.map(([name = '', value = '']) => `${`${name}:`.padEnd(width)}${value}`);
}

function conditionLines(conditions: readonly Condition[]): readonly string[] {
  if (conditions.length === 0) return [];
  const rows = conditions.map(({ type, status, reason = '', message = '' }) => [type, status, reason, message]);
  return tableLines(['Type', 'Status', 'Reason', 'Message'], rows);
}

function eventLines(events: readonly RecentEvent[], now: Date): readonly string[] {
  if (events.length === 0) return [];
  const rows = events.map(({ time, type, reason, message }) => [
    time ? ageOf(new Date(time), now) : '-',
    type,
    reason,
    message,
  ]);
  return tableLines(['When', 'Type', 'Reason', 'Message'], rows);
}
