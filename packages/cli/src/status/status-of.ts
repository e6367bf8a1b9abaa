import {
  type APIServiceBinding,
  appCluster as names,
  type ClusterBinding,
  ConditionType,
  findCondition,
} from '@klutch/api';
import type { Connection } from '../connections/find-connections.ts';
import { ageOf } from './age.ts';

/** What a control plane knows about an app cluster, or why that cannot be told. */
export type Report =
  | {
      readonly clusterBinding: ClusterBinding;
      /** `<plural>.<group>` of the APIs that it exports to the app cluster. */
      readonly exports: readonly string[];
    }
  | { readonly problem: string };

/** What there is to know about one bound API. */
export interface BindingStatus {
  readonly api: string;
  readonly provider: string;
  readonly ready: 'True' | 'False' | 'Unknown';
  /** Which condition is not as it should be, and what it says. */
  readonly message?: string;
  readonly controlPlane?: { readonly server: string; readonly namespace: string };
  readonly lastHeartbeat?: string;
  readonly konnectorVersion?: string;
  /** When the credential ends; absent for one that never does, and where there is none. */
  readonly credentialExpires?: string;
  /** Why there is no credential that can be used, and what to do. */
  readonly credentialProblem?: string;
  readonly secret: string;
}

/** Pure: the state of everything that is bound through a connection. */
export function statusOf(connection: Connection, report: Report): readonly BindingStatus[] {
  const { config, secretName, expires } = connection;
  const status = 'clusterBinding' in report ? report.clusterBinding.status : undefined;
  const trouble = 'problem' in report ? report.problem : undefined;
  return connection.bindings.map((binding) => ({
    api: binding.metadata.name ?? '',
    provider: binding.status?.providerPrettyName ?? '',
    ready: readyOf(binding),
    // Without a credential nothing else can be right.
    message: connection.problem ?? messageOf(binding, trouble),
    controlPlane: config && { server: config.server, namespace: config.namespace ?? '' },
    lastHeartbeat: status?.lastHeartbeatTime,
    konnectorVersion: status?.konnectorVersion,
    credentialExpires: expires?.toISOString(),
    credentialProblem: connection.problem,
    secret: secretName,
  }));
}

/** Pure: when the credential of a binding ends, in a few words. */
export function credentialEnd(
  { credentialExpires, credentialProblem }: Pick<BindingStatus, 'credentialExpires' | 'credentialProblem'>,
  now: Date,
): string {
  if (credentialProblem !== undefined) return 'no credential';
  return credentialExpires === undefined ? 'never' : ageOf(new Date(credentialExpires), now);
}

function readyOf({ status }: APIServiceBinding): BindingStatus['ready'] {
  const said = findCondition(status?.conditions ?? [], ConditionType.Ready)?.status;
  return said === 'True' || said === 'False' ? said : 'Unknown';
}

/** What the konnector says comes first: it is about this API. */
function messageOf(binding: APIServiceBinding, trouble: string | undefined): string | undefined {
  const failing = (binding.status?.conditions ?? []).find(
    ({ type, status }) => type !== ConditionType.Ready && status === 'False',
  );
  if (failing) return `${failing.type}: ${failing.message ?? failing.reason ?? 'False'}`;
  if (trouble) return trouble;
  return readyOf(binding) === 'Unknown'
    ? `The konnector has not processed it yet. Check that it runs: kubectl -n ${names.namespace} get pods.`
    : undefined;
}
