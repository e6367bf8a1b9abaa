import { annotations, controlPlane as names, KlutchError, kubeconfigKey, labels } from '@klutch/api';
import {
  type CallOptions,
  type Clock,
  isKubeError,
  type KubeClient,
  Namespaces,
  type ResourceType,
  type Secret,
  Secrets,
} from '@klutch/kube';
import { excusing } from '../objects/excusing.ts';
import type { TokenRequest } from '../objects/service-account.ts';
import type { CredentialOptions, ExternalAddress } from '../process/options.ts';
import { kubeconfigOf } from './kubeconfig.ts';
import { judgeStanding } from './standing.ts';
import { anchorLabel, kubeconfigLabel, offeredText, type Place, readStock } from './stock.ts';
import { readToken } from './token.ts';

export interface IssueDeps {
  readonly client: KubeClient;
  readonly external: ExternalAddress;
  readonly credentials: CredentialOptions;
  readonly clock: Clock;
}

/** `unless fresh`: what is offered stays when it has more than half of its life before it. */
export type Renewal = 'unless fresh' | 'always';

/**
 * The kubeconfig that is offered to an app cluster, after a new credential was issued if need be. Whoever asks at the same
 * time gets the same one. Needs the service account.
 */
export async function offerCredential(
  deps: IssueDeps,
  place: Place,
  renewal: Renewal,
  call: CallOptions = {},
): Promise<string> {
  const { client, external, clock } = deps;
  let isWanted = renewal === 'always';
  for (let tries = 0; tries < 10; tries += 1) {
    const stock = await readStock(client, place, call.signal);
    const standing = judgeStanding(place, stock, clock.date());
    if (standing.is === 'fresh' && !isWanted) {
      const text = kubeconfigOf(external, place.namespace, standing.token);
      if (text === offeredText(stock) || (await offer(client, place, stock.kubeconfig, text, call))) return text;
      continue;
    }
    const issued = await issue(deps, place, call);
    const text = kubeconfigOf(external, place.namespace, issued.token);
    if (await offer(client, place, stock.kubeconfig, text, call)) {
      await tell(client, place, issued.at, call);
      return text;
    }
    // Somebody else was faster, and theirs is as new.
    isWanted = false;
    await forget(client, place, issued.anchor, call);
  }
  const message = `The kubeconfig in namespace ${place.namespace} changes faster than it can be written. Try again.`;
  throw new KlutchError('KLUTCH_BACKEND_UNAVAILABLE', message);
}

const TokenRequests: ResourceType<TokenRequest> = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'TokenRequest',
  namespaced: true,
};

interface Issued {
  readonly token: string;
  readonly at: Date;
  readonly anchor: string;
}

/** A new token, bound to a Secret of its own. */
async function issue(deps: IssueDeps, { namespace }: Place, call: CallOptions): Promise<Issued> {
  const { client, credentials, clock } = deps;
  const secrets = client.resource(Secrets);
  const issuedAt = clock.date();
  const { metadata } = await secrets.create(newAnchor(namespace, issuedAt, credentials.lifetimeSeconds), call);
  const { name = '', uid = '' } = metadata;
  try {
    const token = await requestToken();
    const lifetime = readToken(token)?.lifetimeSeconds;
    if (lifetime === undefined)
      throw new Error(`The control plane issued a token in ${namespace} that cannot be read.`);
    // The API server may have shortened it.
    if (lifetime !== credentials.lifetimeSeconds) {
      const patch = { metadata: { annotations: { [annotations.expiresAt]: after(issuedAt, lifetime) } } };
      await secrets.patch({ namespace, name }, { type: 'merge', patch }, call);
    }
    return { token, at: issuedAt, anchor: name };
  } catch (error) {
    await forget(client, { namespace }, name, call);
    throw error;
  }

  async function requestToken(): Promise<string> {
    const answer = await client.resource(TokenRequests).create(
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        metadata: { name: names.binder, namespace },
        spec: {
          expirationSeconds: credentials.lifetimeSeconds,
          boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name, uid },
        },
      },
      { ...call, subresource: 'token' },
    );
    return answer.status?.token ?? '';
  }
}

function newAnchor(namespace: string, issuedAt: Date, lifetimeSeconds: number): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      generateName: 'klutch-credential-',
      namespace,
      labels: { [labels.credential]: anchorLabel },
      annotations: {
        [annotations.issuedAt]: issuedAt.toISOString(),
        [annotations.expiresAt]: after(issuedAt, lifetimeSeconds),
      },
    },
    type: 'Opaque',
  };
}

/** Puts a kubeconfig where the konnector looks; false when somebody else did so since it was read. */
async function offer(
  client: KubeClient,
  { namespace, secret: name }: Place,
  seen: Secret | undefined,
  text: string,
  call: CallOptions,
): Promise<boolean> {
  const secrets = client.resource(Secrets);
  const data = { [kubeconfigKey]: Buffer.from(text).toString('base64') };
  const ownLabels = { [labels.credential]: kubeconfigLabel };
  try {
    if (seen) {
      const { uid, resourceVersion } = seen.metadata;
      const patch = { metadata: { uid, resourceVersion, labels: ownLabels }, data };
      await secrets.patch({ namespace, name }, { type: 'merge', patch }, call);
    } else {
      const metadata = { name, namespace, labels: ownLabels };
      await secrets.create({ apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data }, call);
    }
    return true;
  } catch (error) {
    if (isKubeError(error, 'KUBE_CONFLICT', 'KUBE_ALREADY_EXISTS')) return false;
    // Deleted since it was read; anything else that is not found is not the Secret.
    if (seen && isKubeError(error, 'KUBE_NOT_FOUND')) return false;
    throw error;
  }
}

/** Has the leader see that there is something to retire; a leader that does not hear of it looks now and then. */
async function tell(client: KubeClient, { namespace }: Place, at: Date, call: CallOptions): Promise<void> {
  const patch = { metadata: { annotations: { [annotations.issuedAt]: at.toISOString() } } };
  const noted = client.resource(Namespaces).patch({ name: namespace }, { type: 'merge', patch }, call);
  await excusing(noted, 'KUBE_NOT_FOUND');
}

/** Ends a token that nobody got. What cannot be removed now retires by itself. */
async function forget(
  client: KubeClient,
  { namespace }: Pick<Place, 'namespace'>,
  name: string,
  call: CallOptions,
): Promise<void> {
  try {
    await client.resource(Secrets).delete({ namespace, name }, call);
  } catch (error) {
    if (!isKubeError(error)) throw error;
  }
}

function after(start: Date, seconds: number): string {
  return new Date(start.getTime() + seconds * 1000).toISOString();
}
