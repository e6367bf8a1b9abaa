import {
  type AcceptablePermissionClaim,
  type APIServiceBinding,
  type APIServiceExportRequestResponse,
  apiServiceBindingCrd,
  apiVersion,
  apiName,
  appCluster as names,
  CustomResourceDefinitions,
  kubeconfigKey,
} from '@klutch/api';
import type { KubeClient, UnknownObject } from '@klutch/kube';
import { type ClaimPolicy, type ClaimsOfApi, decideClaims } from '../claims/decide-claims.ts';
import { bindNamespace } from '../cluster/app-cluster.ts';
import { manifestsFor } from '../manifests/install-konnector.ts';
import type { KonnectorDecision } from '../manifests/konnector-decision.ts';
import { allBindings, type Served, servedFor } from '../manifests/served-by-konnector.ts';
import { type Existing, refuseConflicts } from './conflicts.ts';
import { apisOf } from './export-requests.ts';
import { bindSecrets, planSecret, secretManifest, type SecretPlan } from './kubeconfig-secret.ts';
import type { RemoteCluster } from './remote-cluster.ts';

/** What is to be bound, and who decides. */
export interface BindJob {
  readonly client: KubeClient;
  readonly requests: readonly APIServiceExportRequestResponse[];
  readonly remote: RemoteCluster;
  /** Address of the backend that issued the credential, where it is known. */
  readonly backendUrl?: string;
  readonly claims: ClaimPolicy;
  readonly konnector: KonnectorDecision;
  readonly signal: AbortSignal;
}

/** Everything that was found and decided; nothing has been written. */
export interface BindPlan {
  readonly requests: readonly APIServiceExportRequestResponse[];
  readonly remote: RemoteCluster;
  readonly backendUrl?: string;
  readonly secret: SecretPlan;
  readonly konnector: KonnectorDecision;
  /** By name of the API; claims with their decisions. */
  readonly claims: ReadonlyMap<string, readonly AcceptablePermissionClaim[]>;
  /** By name of the API; those that exist. */
  readonly bindings: ReadonlyMap<string, APIServiceBinding>;
  /** All other bindings of the app cluster. */
  readonly others: readonly APIServiceBinding[];
  readonly isNamespaceMissing: boolean;
  readonly isCrdMissing: boolean;
}

/**
 * Looks at the app cluster, refuses what cannot be, and has the claims decided. Throws as `refuseConflicts` and
 * `decideClaims` do; nothing has been written then.
 */
export async function planBind(job: BindJob): Promise<BindPlan> {
  const { client, requests, remote, backendUrl, konnector, signal } = job;
  const wanted = new Set(requests.flatMap(apisOf));
  const namespace = await bindNamespace(client, signal);
  const secrets = namespace === undefined ? [] : await bindSecrets(client, signal);
  const all = await allBindings(client, signal);
  const bindings = new Map(
    all
      .filter(({ metadata }) => isHere(metadata) && wanted.has(metadata.name ?? ''))
      .map((one) => [one.metadata.name ?? '', one]),
  );
  const referenced = [...bindings.values()].map(({ spec }) => spec?.kubeconfigSecretRef.name ?? '');
  const secret = planSecret(secrets, referenced, remote);
  for (const existing of await existingOf(client, [...wanted], bindings, signal)) {
    refuseConflicts(existing, secret, secrets);
  }
  const claims = await decideClaims(claimsOf(requests, bindings), job.claims);
  const crd = await client
    .resource(CustomResourceDefinitions)
    .find({ name: apiServiceBindingCrd.metadata.name ?? '' }, { signal });
  return {
    requests,
    remote,
    backendUrl,
    secret,
    konnector,
    claims,
    bindings,
    others: all.filter((one) => !bindings.has(one.metadata.name ?? '') || !isHere(one.metadata)),
    isNamespaceMissing: namespace === undefined,
    isCrdMissing: crd === undefined,
  };
}

/** Pure: what the konnector has to serve when a plan has been carried out for these APIs. */
export function servedAfter(plan: BindPlan, apis: Iterable<string> = plan.claims.keys()): Served {
  const wanted = [...apis];
  const unfinished = [...plan.bindings.values()].filter(({ metadata }) => !wanted.includes(metadata.name ?? ''));
  return servedFor([...plan.others, ...unfinished, ...wanted.map((api) => bindingManifest(plan, api, ''))]);
}

/** Pure: the binding of an API. */
export function bindingManifest(plan: Pick<BindPlan, 'claims'>, api: string, secretName: string): APIServiceBinding {
  const permissionClaims = plan.claims.get(api) ?? [];
  return {
    apiVersion,
    kind: 'APIServiceBinding',
    metadata: { name: api, namespace: names.namespace },
    spec: {
      kubeconfigSecretRef: { namespace: names.namespace, name: secretName, key: kubeconfigKey },
      ...(permissionClaims.length > 0 && { permissionClaims: [...permissionClaims] }),
    },
  };
}

/** Pure: all that a plan would write to the app cluster, in order. It holds the credential. */
export function appClusterManifests(plan: BindPlan): readonly UnknownObject[] {
  const secret = secretManifest(plan.secret, plan.remote, plan.backendUrl);
  const konnector = manifestsFor(plan.konnector, servedAfter(plan)).filter(({ kind }) => kind !== 'Namespace');
  const bindings = [...plan.claims.keys()].map((api) => bindingManifest(plan, api, secret.metadata.name ?? ''));
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: names.namespace } },
    ...(plan.isCrdMissing ? [apiServiceBindingCrd] : []),
    secret,
    ...konnector,
    ...bindings,
  ] as unknown as readonly UnknownObject[];
}

/** Bindings of released components have no namespace. */
function isHere({ namespace }: { readonly namespace?: string }): boolean {
  return namespace === undefined || namespace === names.namespace;
}

async function existingOf(
  client: KubeClient,
  apis: readonly string[],
  bindings: ReadonlyMap<string, APIServiceBinding>,
  signal: AbortSignal,
): Promise<readonly Existing[]> {
  const crds = client.resource(CustomResourceDefinitions);
  return Promise.all(
    apis.map(async (api) => ({ api, binding: bindings.get(api), crd: await crds.find({ name: api }, { signal }) })),
  );
}

function claimsOf(
  requests: readonly APIServiceExportRequestResponse[],
  bindings: ReadonlyMap<string, APIServiceBinding>,
): readonly ClaimsOfApi[] {
  return requests.flatMap(({ spec }) =>
    spec.resources.map((resource) => {
      const api = apiName(resource);
      const decided = bindings.get(api)?.spec?.permissionClaims ?? [];
      return { api, claims: resource.permissionClaims ?? [], decided };
    }),
  );
}
