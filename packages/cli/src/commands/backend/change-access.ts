import { annotations, ClusterBindings, controlPlane, findCondition, KlutchError } from '@klutch/api';
import { type KubeClient, type Namespace, Namespaces } from '@klutch/kube';
import { requireRights } from '../../cluster/preflight.ts';
import { waitUntil } from '../../cluster/wait-until.ts';
import { confirm } from '../../terminal/confirm.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { AccessFlags, Operation } from '../backend-operations.ts';
import { type AppClusterFacts, type Plan, planFor } from './access-plan.ts';
import { openControlPlane } from './control-plane.ts';

/** Revokes, restores or purges an app cluster: says what that means, asks, and waits until the backend has done it. */
export async function changeAccess(
  operation: Operation,
  name: string,
  flags: AccessFlags,
  terminal: Terminal,
): Promise<void> {
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const plane = await openControlPlane(flags, process.env);
  const { client } = plane;
  try {
    const facts = await factsOf(client, name, signal);
    const plan = planFor(operation, facts);
    progress.note(`This changes the control plane ${plane.name}.`);
    for (const line of plan.effects) progress.note(line);
    if (plan.isDone) return progress.done(plan.outcome);
    await requireRights(
      client,
      [{ verb: 'patch', group: '', resource: 'namespaces', name }],
      'Ask an operator of the control plane.',
      signal,
    );
    if (!flags.yes) await confirm(terminal, `${plan.question} Go on?`, signal);

    const { resourceVersion } = facts.namespace.metadata;
    const patch = { metadata: { resourceVersion, annotations: plan.annotations } };
    await client.resource(Namespaces).patch({ name }, { type: 'merge', patch }, { signal });
    const isDone = await progress.during(plan.waiting, () =>
      waitUntil(() => look(client, name, plan, signal), { withinMs: flags.waitTimeout, signal }),
    );
    if (!isDone) {
      const message = `Namespace ${name} is marked, but no backend has processed it yet. Check that one runs; it will process it then.`;
      throw new KlutchError('KLUTCH_BACKEND_UNAVAILABLE', message);
    }
    progress.done(plan.outcome);
  } finally {
    await plane.close();
  }
}

async function factsOf(client: KubeClient, name: string, signal: AbortSignal): Promise<AppClusterFacts> {
  const namespace = await client.resource(Namespaces).find({ name }, { signal });
  if (!namespace) throw new KlutchError('KLUTCH_USAGE', `The control plane has no namespace ${name}.`);
  const all: Namespace[] = [];
  for await (const page of client.resource(Namespaces).pages({ signal })) all.push(...page.items);
  const isOwn = ({ metadata }: Namespace) =>
    metadata.annotations?.[annotations.apiServiceNamespace]?.startsWith(`${name}/`) ?? false;
  return { namespace, serviceNamespaces: all.filter(isOwn).map(({ metadata }) => metadata.name ?? '') };
}

/** True when the control plane shows that the plan was carried out. */
async function look(client: KubeClient, name: string, { until }: Plan, signal: AbortSignal): Promise<true | undefined> {
  if (until === 'gone') return (await client.resource(Namespaces).find({ name }, { signal })) ? undefined : true;
  if (until === 'marked') return true;
  const binding = await client
    .resource(ClusterBindings)
    .find({ namespace: name, name: controlPlane.clusterBinding }, { signal });
  const condition = findCondition(binding?.status?.conditions, 'CredentialValid');
  return !binding || condition?.reason === 'AccessRevoked' ? true : undefined;
}
