import { group, KlutchError } from '@klutch/api';
import { userAgentOf } from '@klutch/kube';
import { openAppCluster } from '../../cluster/app-cluster.ts';
import type { ConnectionFlags } from '../../cluster/connection-flags.ts';
import { findConnections } from '../../connections/find-connections.ts';
import { packageVersion } from '../../package-version.ts';
import { ageOf } from '../../status/age.ts';
import { askControlPlane } from '../../status/ask-control-plane.ts';
import { type BindingStatus, credentialEnd, statusOf } from '../../status/status-of.ts';
import { type Unfinished, unfinishedOf } from '../../status/unfinished.ts';
import { type OutputFormat, printResult } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { savedBindings } from '../../upgrade/saved-bindings.ts';

/** Prints the state of all bindings, or of those that are named. */
export async function showStatus(
  apis: readonly string[],
  flags: ConnectionFlags & { readonly output: OutputFormat },
  terminal: Terminal,
): Promise<void> {
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const cluster = await openAppCluster(flags, { env: process.env, progress, changes: false });
  try {
    const connections = await findConnections(cluster.client, signal);
    const userAgent = userAgentOf('klutch-cli', await packageVersion());
    const asked = await progress.during('Asking the control planes', () =>
      Promise.all(
        connections.map(async (connection) => ({
          connection,
          report: await askControlPlane(connection, { userAgent, signal }),
        })),
      ),
    );
    const unfinished = unfinishedOf({ connections: asked, saved: await savedBindings(cluster.client, signal) });
    const all = asked.flatMap(({ connection, report }) => statusOf(connection, report));
    const shown = chosen(
      all.sort((a, b) => a.api.localeCompare(b.api)),
      apis,
    );
    if (shown.length === 0) progress.note('Nothing is bound yet. Run `klutch bind <provider-url>`.');
    for (const { message } of unfinished) progress.warn(message);
    if (shown.length === 0 && flags.output === 'table') return;
    await printResult(terminal, flags.output, resultOf(shown, unfinished, new Date()));
  } finally {
    await cluster.close();
  }
}

function chosen(all: readonly BindingStatus[], apis: readonly string[]): readonly BindingStatus[] {
  const missing = apis.filter((name) => !all.some(({ api }) => api === name));
  if (missing.length > 0) {
    const known = all.map(({ api }) => api).join(', ') || 'nothing';
    throw new KlutchError('KLUTCH_USAGE', `${missing.join(', ')} is not bound here. Bound are: ${known}.`);
  }
  return apis.length === 0 ? all : all.filter(({ api }) => apis.includes(api));
}

function resultOf(statuses: readonly BindingStatus[], unfinished: readonly Unfinished[], now: Date) {
  const age = (text: string | undefined, otherwise: string) => (text ? ageOf(new Date(text), now) : otherwise);
  return {
    table: {
      columns: ['API', 'Provider', 'Ready', 'Heartbeat', 'Konnector', 'Credential ends', 'Message'],
      rows: statuses.map((status) => [
        status.api,
        status.provider || '-',
        status.ready,
        age(status.lastHeartbeat, 'never'),
        status.konnectorVersion ?? '-',
        credentialEnd(status, now),
        status.message ?? '',
      ]),
    },
    document: { bindings: statuses, unfinished },
    names: statuses.map(({ api }) => `apiservicebinding.${group}/${api}`),
  };
}
