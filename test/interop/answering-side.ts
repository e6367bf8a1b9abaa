import type { KubeClient } from '@klutch/kube';
import type { TestCluster } from '../konnector/world.ts';
import type { Cast } from './cast.ts';
import type { RecordedApi } from './recorded-api.ts';

/**
 * Whoever answers a konnector on a control plane: a replayed Go backend, the stand-in of the konnector's tests, or a
 * backend of ours.
 */
export interface AnsweringSide {
  readonly clusterNamespace: string;
  /** UID of the cluster namespace. */
  readonly uid: string;
  /** What the user's login yields. */
  readonly kubeconfig: string;
  /** As the tenant, with no more rights. */
  readonly binder: KubeClient;
  /** Brings the export about that the CLI asked for. */
  answerRequest(): Promise<void>;
  /** Answers the first heartbeat, if it answers them at all. */
  answerHeartbeat(): Promise<void>;
  /** The service namespace of an app namespace, once there is one. */
  serviceNamespace(appNamespace: string): Promise<string>;
  /** The API gains a field: on the control plane, and in the export. */
  extendSchema(): Promise<void>;
  close(): Promise<void>;
}

export interface AnsweringSideOptions {
  readonly cluster: TestCluster;
  readonly api: RecordedApi;
  readonly cast: Cast;
  readonly uids: Map<string, string>;
}

/** Creates a tenant, as a login does. */
export type OpenAnsweringSide = (options: AnsweringSideOptions) => Promise<AnsweringSide>;
