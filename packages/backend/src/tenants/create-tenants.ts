import {
  annotations,
  apiName,
  APIServiceExports,
  ClusterBindings,
  controlPlane as names,
  KlutchError,
} from '@klutch/api';
import {
  type Clock,
  isKubeError,
  type KubeClient,
  type Namespace,
  Namespaces,
  Secrets,
  type SharedInformers,
} from '@klutch/kube';
import { endCredentials } from '../credentials/end-credentials.ts';
import { offerCredential } from '../credentials/issue.ts';
import { readStock } from '../credentials/stock.ts';
import { readToken } from '../credentials/token.ts';
import type { OwnRights } from '../grants/own-rights.ts';
import { excusing } from '../objects/excusing.ts';
import { ServiceAccounts, TokenReviews } from '../objects/service-account.ts';
import type { Tenant } from '../policy/tenant.ts';
import type { BackendOptions } from '../process/options.ts';
import type { CompleteCatalogue } from '../templates/catalogue.ts';
import type { Provisioned } from './app-cluster.ts';
import { accessEnd, isClusterNamespace } from './cluster-namespace.ts';
import { provisionNamespace } from './provision.ts';
import { createRegistry } from './registry.ts';
import { release } from './release.ts';
import { requestExports } from './request-exports.ts';
import type { Tenants } from './tenants.ts';

export interface TenantsDeps {
  readonly client: KubeClient;
  /** Of the same cluster. */
  readonly informers: SharedInformers;
  readonly options: Pick<BackendOptions, 'namespacePrefix' | 'prettyName' | 'external' | 'credentials' | 'quotas'>;
  readonly rights: OwnRights;
  readonly catalogue: Pick<CompleteCatalogue, 'all'>;
  readonly clock: Clock;
}

/** The app clusters of all tenants, kept in the control plane and nowhere else. */
export function createTenants({ client, informers, options, rights, catalogue, clock }: TenantsDeps): Tenants {
  const { external, credentials, prettyName } = options;
  const deps = { client, external, credentials, rights, clock, prettyName };
  const namespaces = client.resource(Namespaces);
  const registry = createRegistry({
    client,
    informers,
    mark: rights.mark,
    prefix: options.namespacePrefix,
    clustersPerTenant: options.quotas.clustersPerTenant,
  });

  return {
    ownerOf: (cluster, tenants, caller) =>
      reachably(async () => {
        const registration = await registry.look(cluster, tenants, caller);
        if (registration.is === 'refused') throw registration.error;
        return registration.is === 'registered' ? registration.tenant : undefined;
      }),
    provision: (cluster, tenant, caller) =>
      reachably(async () => {
        const namespace = await registry.register(cluster, tenant, caller);
        return unlessEnding(namespace, () => provisionNamespace(deps, namespace));
      }),
    ownerOfNamespace: (name, tenants) => reachably(async () => (await ownedNamespace(name, tenants)).tenant),
    evict: (name, tenant) => reachably(() => evict(name, tenant)),
    namespaceOf: (token) => reachably(() => namespaceOf(token)),
    tenantNameOf: (name) =>
      reachably(async () => (await namespaces.find({ name }))?.metadata.annotations?.[annotations.tenantName]),
    rotate: (namespace) => reachably(() => rotate(namespace)),
    retireOthers: (namespace, token) => reachably(() => retireOthers(namespace, token)),
    requestExports: (namespace, offers) => reachably(() => requestExports(client, namespace, offers)),
    withdraw: (namespace, apis) =>
      reachably(async () => {
        const exports = client.resource(APIServiceExports);
        for (const api of apis) await excusing(exports.delete({ namespace, name: apiName(api) }), 'KUBE_NOT_FOUND');
      }),
    release: (namespace) => reachably(() => release({ client, rights, catalogue }, namespace)),
  };

  async function namespaceOf(token: string): Promise<string> {
    if (token === '') throw invalidToken();
    const { status } = await client.resource(TokenReviews).create({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      metadata: {},
      spec: { token },
    });
    const [, name, account] = (status?.authenticated && accountName.exec(status.user?.username ?? '')) || [];
    if (name === undefined || account !== names.binder) throw invalidToken();
    const namespace = await namespaces.find({ name });
    if (!namespace || !isClusterNamespace(namespace) || accessEnd(namespace)) throw invalidToken();
    // With the namespace all credentials go, and the rights to look at them even before.
    if (namespace.metadata.deletionTimestamp) throw invalidToken();
    await requireLive(namespace, token, status?.user?.uid);
    return name;
  }

  /** API servers cache authentications; whether the account and the anchor of a token still exist is asked. */
  async function requireLive({ metadata }: Namespace, token: string, uid: string | undefined): Promise<void> {
    await rights.ensure(metadata);
    const { name: namespace } = metadata;
    const anchor = readToken(token)?.anchor;
    const [account, held] = await Promise.all([
      client.resource(ServiceAccounts).find({ namespace, name: names.binder }),
      anchor && client.resource(Secrets).find({ namespace, name: anchor.name }),
    ]);
    const isLive = account !== undefined && account.metadata.uid === uid && held?.metadata.uid === anchor?.uid;
    if (!isLive) throw invalidToken();
  }

  async function ownedNamespace(
    name: string,
    tenants: readonly Tenant[],
  ): Promise<{ readonly namespace: Namespace; readonly tenant: Tenant }> {
    const namespace = await namespaces.find({ name });
    const identity = namespace?.metadata.annotations?.[annotations.tenantIdentity];
    const tenant = tenants.find((one) => one.identity === identity);
    if (namespace && tenant) return { namespace, tenant };
    throw new KlutchError(
      'KLUTCH_CLUSTER_IDENTITY_TAKEN',
      `Namespace ${name} of the control plane is not an app cluster of yours. Log in as a member of the tenant it belongs to.`,
    );
  }

  async function evict(name: string, tenant: Tenant): Promise<Provisioned> {
    const { namespace } = await ownedNamespace(name, [tenant]);
    refuseEnded(namespace);
    const mark = { [annotations.evictedAt]: clock.date().toISOString() };
    const patch = { metadata: { uid: namespace.metadata.uid, annotations: mark } };
    const marked = await namespaces.patch({ name }, { type: 'merge', patch });
    await rights.ensure(marked.metadata);
    await endCredentials(client, { namespace: name, secret: names.kubeconfigSecret });
    return unlessEnding(marked, () => provisionNamespace(deps, marked));
  }

  async function rotate(name: string): Promise<Provisioned> {
    refuseEnded(await namespaces.get({ name }));
    const { spec } = await client.resource(ClusterBindings).get({ namespace: name, name: names.clusterBinding });
    const place = { namespace: name, secret: spec.kubeconfigSecretRef.name };
    return { namespace: name, kubeconfig: await offerCredential(deps, place, 'always') };
  }

  async function retireOthers(namespace: string, token: string): Promise<void> {
    const facts = readToken(token);
    const { anchors, legacy } = await readStock(client, { namespace, secret: names.kubeconfigSecret });
    const own = anchors.find(({ name, uid }) => name === facts?.anchor?.name && uid === facts.anchor.uid);
    if (!own || facts?.namespace !== namespace) throw invalidToken();
    const secrets = client.resource(Secrets);
    for (const { name, uid } of [...anchors, ...(legacy ? [legacy] : [])]) {
      if (uid === own.uid) continue;
      await excusing(
        secrets.delete({ namespace, name }, { preconditions: { uid } }),
        'KUBE_NOT_FOUND',
        'KUBE_CONFLICT',
      );
    }
  }

  /** What fails in a namespace that is being removed fails because of that. */
  async function unlessEnding<T>({ metadata }: Namespace, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isKubeError(error, 'KUBE_FORBIDDEN', 'KUBE_NOT_FOUND')) throw error;
      const now = await namespaces.find({ name: metadata.name ?? '' });
      if (now && now.metadata.uid === metadata.uid && !now.metadata.deletionTimestamp) throw error;
      const message = `Namespace ${metadata.name} of this app cluster is being removed. Try again when it is gone.`;
      throw new KlutchError('KLUTCH_BACKEND_UNAVAILABLE', message, { cause: error });
    }
  }
}

function refuseEnded(namespace: Namespace): void {
  const end = accessEnd(namespace);
  if (end === undefined) return;
  const { name } = namespace.metadata;
  const message =
    end === 'Revoked'
      ? `The operator has taken all access from app cluster ${name}. Ask the operator.`
      : `The access of app cluster ${name} has expired, since nothing was heard from it for long. Run \`klutch bind\` again.`;
  throw new KlutchError('KLUTCH_ACCESS_REVOKED', message);
}

const accountName = /^system:serviceaccount:([^:]+):([^:]+)$/;

function invalidToken(): KlutchError {
  return new KlutchError('KLUTCH_TOKEN_INVALID', 'The token is not a live credential of an app cluster. Bind again.');
}

/** A control plane that cannot be reached is not the fault of who asks. */
async function reachably<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isKubeError(error, 'KUBE_UNREACHABLE', 'KUBE_TIMEOUT', 'KUBE_SERVER_ERROR', 'KUBE_TOO_MANY_REQUESTS'))
      throw error;
    const message = 'The control plane does not answer. Try again in a moment.';
    throw new KlutchError('KLUTCH_BACKEND_UNAVAILABLE', message, { cause: error });
  }
}
