import {
  type APIServiceBinding,
  APIServiceBindingReason,
  appCluster as names,
  ConditionType,
  falseCondition,
  KlutchError,
  setCondition,
} from '@klutch/api';
import { throughProxy } from '@klutch/api/contract';
import { ensureBindingCrd } from '@klutch/konnector';
import { connect, isKubeError, type KubeClient, type ResourceType, systemClock, userAgentOf } from '@klutch/kube';
import { isDeepStrictEqual } from 'node:util';
import { ensureBindNamespace } from '../cluster/app-cluster.ts';
import { installKonnector } from '../manifests/install-konnector.ts';
import { bindingType } from '../manifests/served-by-konnector.ts';
import type { Progress } from '../terminal/progress.ts';
import { bindingManifest, type BindPlan, servedAfter } from './bind-plan.ts';
import { apisOf, requestExport } from './export-requests.ts';
import { storeSecret } from './kubeconfig-secret.ts';

export interface CarryOutOptions {
  readonly client: KubeClient;
  readonly version: string;
  readonly progress: Progress;
  readonly waitTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** What became of a plan. */
export interface BindOutcome {
  /** How this app cluster keeps bindings. */
  readonly type: ResourceType<APIServiceBinding>;
  /** Names of the APIs that are bound. */
  readonly bound: readonly string[];
  /** Why the others are not. */
  readonly failures: readonly unknown[];
}

/** Stores the credential, says so in the words that other tools look for, and yields the name of the Secret. */
export async function storeCredential(
  plan: BindPlan,
  { client, progress, signal }: Pick<CarryOutOptions, 'client' | 'progress' | 'signal'>,
): Promise<string> {
  await ensureBindNamespace(client, signal);
  const name = await storeSecret(client, plan.secret, plan.remote, { backendUrl: plan.backendUrl, signal });
  const verb = plan.secret.action === 'update' ? 'Updated' : 'Created';
  progress.done(
    `${verb} secret ${names.namespace}/${name} for host ${plan.remote.host}, namespace ${plan.remote.namespace}.`,
  );
  return name;
}

/**
 * Does what a plan says, in an order in which a second run completes whatever a first one left: credential, exports, the
 * rights of the konnector, bindings. An API that the provider does not export does not hold up the others; when it
 * exports none, that is thrown.
 */
export async function carryOut(plan: BindPlan, options: CarryOutOptions): Promise<BindOutcome> {
  const { client, progress, signal } = options;
  const secretName = await storeCredential(plan, options);
  const { exported, failures } = await requestAll(plan, options);
  if (exported.length === 0) throw failures[0];

  const { konnector } = plan;
  await installKonnector(client, konnector, servedAfter(plan, exported), { signal });
  if (konnector.action === 'apply') progress.done(`Deployed konnector ${konnector.image} (${konnector.reason}).`);
  const type = await storedBindings(plan, options);
  for (const api of exported) await writeBinding(plan, api, secretName, type, options);
  return { type, bound: exported, failures };
}

/** How bindings are stored; where they cannot be yet, that is changed. */
async function storedBindings(
  { isCrdMissing }: BindPlan,
  { client, progress, signal, version, waitTimeoutMs }: CarryOutOptions,
): Promise<ResourceType<APIServiceBinding>> {
  const found = isCrdMissing ? undefined : await bindingType(client, signal);
  if (found !== undefined) return found;
  return progress.during('Waiting until bindings can be stored', () =>
    ensureBindingCrd(client, { clock: systemClock, signal, version, withinMs: waitTimeoutMs }),
  );
}

async function requestAll(
  plan: BindPlan,
  { version, progress, waitTimeoutMs, signal }: CarryOutOptions,
): Promise<{ readonly exported: readonly string[]; readonly failures: readonly unknown[] }> {
  const { remote, requests } = plan;
  const control = connect(throughProxy(remote.config, process.env), { userAgent: userAgentOf('klutch-cli', version) });
  try {
    const apis = requests.flatMap(apisOf).join(', ');
    const outcomes = await progress.during(`Requesting ${apis} from the provider`, () =>
      Promise.allSettled(
        requests.map((request) =>
          requestExport(control, request, { namespace: remote.namespace, timeoutMs: waitTimeoutMs, signal }),
        ),
      ),
    );
    signal.throwIfAborted();
    const exported = requests.filter((_, at) => outcomes[at]?.status === 'fulfilled').flatMap(apisOf);
    const failures = outcomes
      .filter((outcome) => outcome.status === 'rejected')
      .map(({ reason }) => refusal(reason, remote.host));
    return { exported: [...new Set(exported)], failures };
  } finally {
    await control.close();
  }
}

/** An error of the control plane, where the tenant's rights are nothing the user can change. */
function refusal(error: unknown, host: string): unknown {
  if (!isKubeError(error, 'KUBE_UNAUTHORIZED', 'KUBE_FORBIDDEN')) return error;
  if (error.body?.message?.includes('exceeded quota')) {
    const full = `The control plane ${host} has as many export requests of this app cluster as it keeps. Finished ones are deleted after ten minutes; try again then.`;
    return new KlutchError('KLUTCH_QUOTA_EXCEEDED', full, { cause: error });
  }
  const message = `The control plane ${host} does not accept the credential for export requests. Bind again to get a fresh one; if that persists, ask the operator.`;
  return new KlutchError('KLUTCH_PERMISSION_MISSING', message, { cause: error });
}

async function writeBinding(
  plan: BindPlan,
  api: string,
  secretName: string,
  type: ResourceType<APIServiceBinding>,
  { client, progress, signal }: CarryOutOptions,
): Promise<void> {
  const bindings = client.resource(type);
  const existing = plan.bindings.get(api);
  const { metadata, ...manifest } = bindingManifest(plan, api, secretName);
  if (existing === undefined) {
    const place = type.namespaced ? metadata : { name: metadata.name };
    const created = await bindings.create({ ...manifest, metadata: place }, { signal });
    await markPending(client, type, created, signal);
    progress.done(`Created binding ${api}.`);
    return;
  }
  const claims = manifest.spec?.permissionClaims;
  if (isDeepStrictEqual(claims, existing.spec?.permissionClaims)) {
    progress.done(`Binding ${api} exists already.`);
    return;
  }
  const patch = { spec: { permissionClaims: claims } };
  await bindings.patch({ name: api, namespace: existing.metadata.namespace }, { type: 'merge', patch }, { signal });
  progress.done(`Updated binding ${api}.`);
}

/** Until the konnector has looked, a new binding says that it waits. Where the konnector is faster, its word counts. */
async function markPending(
  client: KubeClient,
  type: ResourceType<APIServiceBinding>,
  { metadata: { name = '', namespace, resourceVersion }, status }: APIServiceBinding,
  signal: AbortSignal,
): Promise<void> {
  const message = 'The konnector has not processed this binding yet.';
  const pending = falseCondition(ConditionType.Ready, 'Info', APIServiceBindingReason.Pending, message);
  const conditions = setCondition(status?.conditions, pending, systemClock.date());
  const patch = { metadata: { resourceVersion }, status: { conditions } };
  await client
    .resource(type)
    .patch({ name, namespace }, { type: 'merge', patch }, { subresource: 'status', signal })
    .catch((error: unknown) => {
      if (!isKubeError(error)) throw error;
    });
}
