import {
  annotations,
  type APIServiceExport,
  type ClusterBinding,
  type Condition,
  ConditionType,
  findCondition,
  labels,
} from '@klutch/api';
import type { Namespace, Secret } from '@klutch/kube';

/** What the control plane has of all app clusters. */
export interface Observed {
  readonly namespaces: readonly Namespace[];
  readonly bindings: readonly ClusterBinding[];
  readonly exports: readonly APIServiceExport[];
  /** Secrets to which credentials are bound, without their content; undefined when the operator may not list them. */
  readonly credentials: readonly Pick<Secret, 'metadata'>[] | undefined;
}

/** Whether an app cluster can work with the control plane, and if not, why. */
export type Access = 'Granted' | 'ExpiresSoon' | 'Expired' | 'Revoked' | 'BeingRemoved';

export interface AppClusterOverview {
  readonly tenant: string;
  /** The namespace that stands for the app cluster. */
  readonly namespace: string;
  readonly clusterId?: string;
  /** `<namespace>/<name>` of the AppClusterBinding, for app clusters that a konnector on the control plane serves. */
  readonly appClusterBinding?: string;
  readonly boundBy?: string;
  readonly apis: readonly { readonly name: string; readonly problem?: string }[];
  /** When the konnector last reported, by its own clock. */
  readonly lastHeartbeat?: string;
  readonly konnectorVersion?: string;
  /** When the newest credential ends; absent when there is none, or this cannot be known. */
  readonly credentialEnds?: string;
  readonly access: Access;
  /** When access ends unless the konnector reports again. */
  readonly accessEnds?: string;
  /** Namespaces with the data of the app cluster. */
  readonly serviceNamespaces: readonly string[];
  /** What is wrong, as `<condition>: <message>`. */
  readonly problems: readonly string[];
}

/** Pure: all app clusters of a control plane, by tenant and namespace. */
export function appClustersIn(observed: Observed): readonly AppClusterOverview[] {
  return observed.namespaces
    .filter(isAppCluster)
    .map((namespace) => overviewOf(namespace, observed))
    .sort((a, b) => compare(`${a.tenant}/${a.namespace}`, `${b.tenant}/${b.namespace}`));
}

function overviewOf(namespace: Namespace, observed: Observed): AppClusterOverview {
  const { name = '', annotations: notes = {}, labels: marks = {} } = namespace.metadata;
  const isHere = ({ metadata }: { readonly metadata: { readonly namespace?: string } }) => metadata.namespace === name;
  const status = observed.bindings.find(isHere)?.status;
  const owner = marks[labels.appClusterBindingName];
  return {
    tenant: notes[annotations.tenantName] ?? '',
    namespace: name,
    clusterId: notes[annotations.appClusterId],
    ...(owner && { appClusterBinding: `${marks[labels.appClusterBindingNamespace] ?? ''}/${owner}` }),
    boundBy: notes[annotations.boundBy],
    apis: observed.exports
      .filter(isHere)
      .map(apiOf)
      .sort((a, b) => compare(a.name, b.name)),
    lastHeartbeat: status?.lastHeartbeatTime,
    konnectorVersion: status?.konnectorVersion,
    credentialEnds: latest((observed.credentials ?? []).filter(isHere).map(expiryOf)),
    access: accessOf(namespace),
    accessEnds: notes[annotations.silentUntil],
    serviceNamespaces: observed.namespaces.filter((one) => isServiceNamespaceOf(one, name)).map(nameOf),
    problems: problemsIn(status?.conditions),
  };
}

function isAppCluster({ metadata: { annotations: notes = {}, labels: marks = {} } }: Namespace): boolean {
  return (
    notes[annotations.tenantIdentity] !== undefined ||
    notes[annotations.identity] !== undefined ||
    marks[labels.appClusterBindingName] !== undefined
  );
}

function accessOf({ metadata: { deletionTimestamp, annotations: notes = {} } }: Namespace): Access {
  if (deletionTimestamp) return 'BeingRemoved';
  const mark = notes[annotations.access];
  if (mark === 'Revoked' || mark === 'Expired') return mark;
  return notes[annotations.silentUntil] === undefined ? 'Granted' : 'ExpiresSoon';
}

function apiOf({ metadata: { name = '' }, status }: APIServiceExport): AppClusterOverview['apis'][number] {
  const condition = findCondition(status?.conditions, ConditionType.ProviderInSync);
  if (condition?.status !== 'False') return { name };
  return { name, problem: condition.message ?? condition.reason ?? 'not in sync' };
}

function problemsIn(conditions: readonly Condition[] = []): readonly string[] {
  return conditions
    .filter(({ type, status }) => status === 'False' && type !== ConditionType.Ready)
    .map(({ type, message, reason }) => `${type}: ${message ?? reason ?? 'False'}`);
}

function isServiceNamespaceOf({ metadata }: Namespace, clusterNamespace: string): boolean {
  return metadata.annotations?.[annotations.apiServiceNamespace]?.startsWith(`${clusterNamespace}/`) ?? false;
}

function expiryOf({ metadata }: Pick<Secret, 'metadata'>): string {
  return metadata.annotations?.[annotations.expiresAt] ?? '';
}

function latest(times: readonly string[]): string | undefined {
  return [...times].sort(compare).at(-1) || undefined;
}

function nameOf({ metadata }: Namespace): string {
  return metadata.name ?? '';
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
