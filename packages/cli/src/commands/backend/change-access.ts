import { annotations, controlPlane, KlutchError, kubeconfigKey } from '@klutch/api';
import {
  isKubeError,
  type KubeClient,
  type KubeObject,
  type Namespace,
  Namespaces,
  parseKubeconfig,
  type ResourceType,
  Secrets,
} from '@klutch/kube';
import { requireRights } from '../../cluster/preflight.ts';
import { waitUntil } from '../../cluster/wait-until.ts';
import { confirm } from '../../terminal/confirm.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { AccessFlags, Operation } from '../backend-operations.ts';
import { type AppClusterFacts, type Plan, planFor } from './access-plan.ts';
import { openControlPlane } from './control-plane.ts';

/** Revokes, restores or purges an app cluster: says what that means, asks, does it, and waits until it is so. */
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
    await requireRights(client, rightsFor(plan, name), 'Ask an operator of the control plane.', signal);
    if (!flags.yes) await confirm(terminal, `${plan.question} Go on?`, signal);

    const { resourceVersion } = facts.namespace.metadata;
    const patch = { metadata: { resourceVersion, annotations: plan.annotations } };
    const { endCredentials } = await import('@klutch/backend');
    const place = { namespace: name, secret: controlPlane.kubeconfigSecret };
    // A mark alone, set while no backend ran, has ended nothing yet; access must not come back with credentials from before.
    if (plan.ends === 'before') await endCredentials(client, place, { signal });
    await client.resource(Namespaces).patch({ name }, { type: 'merge', patch }, { signal });
    // The operator does not depend on a backend to do it. One that runs does the same, and says so on the ClusterBinding.
    if (plan.ends === 'after') await endCredentials(client, place, { signal });
    const isDone = await progress.during(plan.waiting, () =>
      waitUntil(() => look(client, name, plan, signal), { withinMs: flags.waitTimeout, signal }),
    );
    if (!isDone) {
      const message =
        plan.until === 'revoked'
          ? `The credentials of app cluster ${name} are deleted, but the control plane still accepts one of them. Run the command again.`
          : `Namespace ${name} is marked, but no backend has processed it yet. Check that one runs; it will process it then.`;
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
  return (await isAccepted(client, name, signal)) ? undefined : true;
}

/** Whether the API server still accepts the credential that is offered in a cluster namespace. It caches that for seconds. */
async function isAccepted(client: KubeClient, namespace: string, signal: AbortSignal): Promise<boolean> {
  const secret = await client.resource(Secrets).find({ namespace, name: controlPlane.kubeconfigSecret }, { signal });
  const text = Buffer.from(secret?.data?.[kubeconfigKey] ?? '', 'base64').toString('utf8');
  const token = tokenOf(text);
  if (token === undefined) return false;
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec: { token } };
  const { status } = await client.resource(TokenReviews).create(review, { signal });
  return status?.authenticated ?? false;
}

function tokenOf(kubeconfig: string): string | undefined {
  try {
    const { auth } = parseKubeconfig(kubeconfig, { source: 'the kubeconfig of the app cluster', trust: 'foreign' });
    return auth.kind === 'token' ? auth.token : undefined;
  } catch (error) {
    if (isKubeError(error)) return undefined;
    throw error;
  }
}

interface TokenReview extends KubeObject {
  readonly spec: { readonly token: string };
  readonly status?: { readonly authenticated?: boolean };
}

const TokenReviews: ResourceType<TokenReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'tokenreviews',
  kind: 'TokenReview',
  namespaced: false,
};

function rightsFor({ ends, until }: Plan, namespace: string) {
  const patch = { verb: 'patch', group: '', resource: 'namespaces', name: namespace };
  if (ends === undefined) return [patch];
  const deletions = ['serviceaccounts', 'secrets'].map((resource) => ({
    verb: 'delete',
    group: '',
    resource,
    namespace,
  }));
  const reviews = { verb: 'create', group: 'authentication.k8s.io', resource: 'tokenreviews' };
  return [patch, ...deletions, ...(until === 'revoked' ? [reviews] : [])];
}
