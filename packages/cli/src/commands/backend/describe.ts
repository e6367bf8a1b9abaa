import { type Condition, ClusterBindings, controlPlane, KlutchError } from '@klutch/api';
import { type CoreEvent, Events, type KubeClient } from '@klutch/kube';
import { type AppClusterOverview, appClustersIn } from '../../overview/app-cluster.ts';
import { observe, observeBackends } from '../../overview/observe.ts';
import { yamlOf } from '../../terminal/output.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { DescribeFlags } from '../backend-overview.ts';
import { openControlPlane } from './control-plane.ts';
import { describeText } from './describe-text.ts';

/** Prints everything about one app cluster that an operator needs. */
export async function describeAppCluster(
  namespace: string,
  flags: DescribeFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<void> {
  const signal = terminal.untilInterrupted();
  const plane = await openControlPlane(flags, env);
  try {
    const [observed, backends, conditions, events] = await Promise.all([
      observe(plane.client, signal, namespace),
      observeBackends(plane.client, flags.leaseName, signal),
      conditionsOf(plane.client, namespace, signal),
      eventsOf(plane.client, namespace, signal),
    ]);
    const appCluster = one(appClustersIn(observed), namespace);
    const document = { appCluster, conditions, events, backends };
    if (flags.output === 'json') return terminal.print(JSON.stringify(document, undefined, 2));
    if (flags.output === 'yaml') return terminal.print(await yamlOf(document));
    for (const line of describeText(document, new Date())) terminal.print(line);
  } finally {
    await plane.close();
  }
}

/** What was done with an app cluster, or happened to it. */
export interface RecentEvent {
  readonly time: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

function one(all: readonly AppClusterOverview[], namespace: string): AppClusterOverview {
  const found = all.find((other) => other.namespace === namespace);
  if (found) return found;
  const message = `Namespace ${namespace} does not stand for an app cluster. Run \`klutch backend list\` to see those that do.`;
  throw new KlutchError('KLUTCH_USAGE', message);
}

async function conditionsOf(client: KubeClient, namespace: string, signal: AbortSignal): Promise<readonly Condition[]> {
  const ref = { namespace, name: controlPlane.clusterBinding };
  return (await client.resource(ClusterBindings).find(ref, { signal }))?.status?.conditions ?? [];
}

const shownEvents = 20;

async function eventsOf(client: KubeClient, namespace: string, signal: AbortSignal): Promise<readonly RecentEvent[]> {
  const fieldSelector = 'involvedObject.kind=ClusterBinding';
  const { items } = await client.resource(Events).list({ namespace, fieldSelector, signal });
  return items
    .map(recent)
    .sort((a, b) => (a.time < b.time ? 1 : -1))
    .slice(0, shownEvents);
}

function recent({ metadata, lastTimestamp, firstTimestamp, type, reason, message }: CoreEvent): RecentEvent {
  return { time: lastTimestamp ?? firstTimestamp ?? metadata.creationTimestamp ?? '', type, reason, message };
}
