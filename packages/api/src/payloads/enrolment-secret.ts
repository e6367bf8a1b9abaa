import type { Secret } from '@klutch/kube';
import { bundleNames } from '../names/bundle-names.ts';
import { labels } from '../names/labels.ts';
import { appCluster } from '../names/well-known.ts';

/** What a konnector needs to get its credential without a command: the content of an enrolment Secret. */
export interface Enrolment {
  /** Id of the bundle; part of the names of everything that belongs to it. */
  readonly id: string;
  /** Address of the backend, as users give it to `klutch bind`. */
  readonly backendUrl: string;
  /** Good for nothing but `POST /enrol`. A secret. */
  readonly token: string;
  /** When the token ends. */
  readonly expiresAt: Date;
  /** Name of the Secret that the credential goes to, in the namespace of the enrolment Secret. */
  readonly kubeconfigSecret: string;
  /** Certificates of the authority that signed the backend's, in PEM, where the system does not trust it. */
  readonly ca?: string;
}

/** An enrolment, or what is wrong with its Secret in a sentence that holds nothing secret. */
export type EnrolmentReading =
  | { readonly enrolment: Enrolment }
  | { readonly enrolment?: undefined; readonly problem: string; readonly kubeconfigSecret?: string };

/** The Secret of an enrolment, as it stands in a bundle. */
export function enrolmentSecret(enrolment: Enrolment): Secret {
  const { id, backendUrl, token, expiresAt, kubeconfigSecret, ca } = enrolment;
  const texts = {
    [keys.backendUrl]: backendUrl,
    [keys.token]: token,
    [keys.expiresAt]: expiresAt.toISOString(),
    [keys.kubeconfigSecret]: kubeconfigSecret,
    ...(ca !== undefined && { [keys.ca]: ca }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: bundleNames(id).enrolmentSecret,
      namespace: appCluster.namespace,
      labels: { [labels.enrolment]: id },
    },
    type: 'Opaque',
    // Not stringData, which every client-side apply would find changed.
    data: Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')] as const),
    ),
  };
}

/** Reads a Secret that carries {@link labels.enrolment}. */
export function readEnrolment({ metadata, data = {} }: Secret): EnrolmentReading {
  const text = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString('utf8');
  const kubeconfigSecret = text(keys.kubeconfigSecret) || undefined;
  const missing = [keys.backendUrl, keys.token, keys.expiresAt, keys.kubeconfigSecret].filter((key) => !text(key));
  const source = `Secret ${metadata.namespace}/${metadata.name}`;
  if (kubeconfigSecret === undefined || missing.length > 0) {
    return { problem: `${source} lacks ${missing.join(', ')}. ${remake}`, kubeconfigSecret };
  }
  const expiresAt = new Date(text(keys.expiresAt));
  if (Number.isNaN(expiresAt.getTime())) {
    return { problem: `${source}: ${keys.expiresAt} is not a time. ${remake}`, kubeconfigSecret };
  }
  const ca = text(keys.ca);
  return {
    enrolment: {
      id: metadata.labels?.[labels.enrolment] ?? '',
      backendUrl: text(keys.backendUrl),
      token: text(keys.token),
      expiresAt,
      kubeconfigSecret,
      ...(ca !== '' && { ca }),
    },
  };
}

const keys = {
  backendUrl: 'backend-url',
  token: 'token',
  expiresAt: 'expires-at',
  kubeconfigSecret: 'kubeconfig-secret',
  ca: 'ca.crt',
} as const;

const remake = 'Make the bundle again with `klutch bind <provider-url> --bundle`.';
