import { annotations, controlPlane as names, kubeconfigKey, labels } from '@klutch/api';
import { type KubeClient, type KubeObject, type Secret, Secrets } from '@klutch/kube';
import { ServiceAccounts } from '../objects/service-account.ts';

/** Where the credential of an app cluster is kept. */
export interface Place {
  /** The cluster namespace. */
  readonly namespace: string;
  /** The Secret that the ClusterBinding names. */
  readonly secret: string;
}

/** Something that tokens live and die with. */
export interface Holder {
  readonly name: string;
  readonly uid: string;
  readonly issuedAt?: Date;
  /** When its tokens are worth nothing any more, whoever still has them. */
  readonly expiresAt?: Date;
  /** When it may go because there is a newer one. */
  readonly retireAt?: Date;
}

/** Everything that has to do with the credential of an app cluster. */
export interface Stock {
  readonly account?: { readonly uid: string };
  /** The Secret from which the konnector learns of new credentials. */
  readonly kubeconfig?: Secret;
  /** Secrets to which tokens are bound. */
  readonly anchors: readonly Holder[];
  /** The Secret with the token of a Go backend, which never expires. */
  readonly legacy?: Holder;
}

/** The value of the label on Secrets to which tokens are bound. */
export const anchorLabel = 'token';

/** The value of the label on the Secret with the kubeconfig. */
export const kubeconfigLabel = 'kubeconfig';

/** Reads all of it from the API server. */
export async function readStock(client: KubeClient, place: Place, signal?: AbortSignal): Promise<Stock> {
  const { namespace } = place;
  const secrets = client.resource(Secrets);
  const labelSelector = `${labels.credential}=${anchorLabel}`;
  const [account, kubeconfig, legacy, { items }] = await Promise.all([
    client.resource(ServiceAccounts).find({ namespace, name: names.binder }, { signal }),
    secrets.find({ namespace, name: place.secret }, { signal }),
    secrets.find({ namespace, name: names.binder }, { signal }),
    secrets.list({ namespace, labelSelector, metadataOnly: true, signal }),
  ]);
  return {
    ...(account ? { account: { uid: account.metadata.uid ?? '' } } : {}),
    kubeconfig,
    anchors: items.map(holderOf),
    ...(legacy?.type === legacyType ? { legacy: holderOf(legacy) } : {}),
  };
}

/** The text of the kubeconfig that is offered; empty when there is none. */
export function offeredText({ kubeconfig }: Pick<Stock, 'kubeconfig'>): string {
  return Buffer.from(kubeconfig?.data?.[kubeconfigKey] ?? '', 'base64').toString('utf8');
}

const legacyType = 'kubernetes.io/service-account-token';

function holderOf({ metadata }: Pick<KubeObject, 'metadata'>): Holder {
  const time = (key: string) => {
    const at = new Date(metadata.annotations?.[key] ?? '');
    return Number.isNaN(at.getTime()) ? undefined : at;
  };
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    issuedAt: time(annotations.issuedAt),
    expiresAt: time(annotations.expiresAt),
    retireAt: time(annotations.retireAt),
  };
}
