import { annotations, goIdentity, KlutchError, labels } from '@klutch/api';
import type { Namespace, ObjectMeta } from '@klutch/kube';
import { type Caller, callerId } from '../policy/caller.ts';
import type { Tenant } from '../policy/tenant.ts';
import type { PresentedCluster } from './app-cluster.ts';
import { accessEnd, appClusterDigest, tenantDigest } from './cluster-namespace.ts';

/** What the control plane knows of an app cluster. */
export interface Found {
  /** Namespaces that are labelled with it. */
  readonly registered: readonly Namespace[];
  /** The namespace that has the name it would get. */
  readonly namesake?: Namespace;
  /** Namespaces that a Go backend made for this cluster and this caller. */
  readonly earlier: readonly Namespace[];
}

/** To whom an app cluster belongs, and in which namespace it lives. */
export type Registration =
  | { readonly is: 'free' }
  | { readonly is: 'registered'; readonly namespace: Namespace; readonly tenant: Tenant }
  /** A Go backend knew it; it becomes the tenant's who comes first. */
  | { readonly is: 'adoptable'; readonly namespace: Namespace }
  | { readonly is: 'refused'; readonly error: KlutchError };

/** Judges what was found from the view of a caller who acts for these tenants. */
export function judgeRegistration(
  cluster: PresentedCluster,
  tenants: readonly Tenant[],
  { registered, namesake, earlier }: Found,
): Registration {
  const claimed = registered.filter((one) => one.metadata.annotations?.[annotations.appClusterId] === cluster.id);
  if (claimed.length > 0) return judgeOwner(cluster, tenants, oldestFirst(claimed));
  const stranger = namesake ?? registered[0];
  if (stranger) return refused('KLUTCH_NAMESPACE_FOREIGN', foreign(stranger));
  const [adoptable, ...others] = earlier.filter((one) => !one.metadata.annotations?.[annotations.tenantIdentity]);
  if (!adoptable) return { is: 'free' };
  if (others.length > 0) return refused('KLUTCH_CLUSTER_IDENTITY_TAKEN', ambiguous([adoptable, ...others]));
  if (accessEnd(adoptable) === 'Revoked') return refused('KLUTCH_ACCESS_REVOKED', revoked(adoptable));
  return unlessEnding({ is: 'adoptable', namespace: adoptable });
}

/** The index value under which namespaces of a Go backend are found; undefined when it would be ambiguous. */
export function earlierIdentity({ subject }: Caller, { id }: PresentedCluster): string | undefined {
  return subject.includes('#') || id.includes('#') ? undefined : goIdentity(subject, id);
}

/** Labels and annotations that the namespace of an app cluster has to carry; those that nobody told are left as they are. */
export function registrationMeta(
  cluster: PresentedCluster,
  tenant: Tenant,
  caller: Caller,
  mark: Readonly<Record<string, string>>,
): Required<Pick<ObjectMeta, 'labels' | 'annotations'>> {
  return {
    labels: {
      ...mark,
      [labels.tenant]: tenantDigest(tenant.identity),
      [labels.appCluster]: appClusterDigest(cluster.id),
    },
    annotations: {
      [annotations.tenantIdentity]: tenant.identity,
      [annotations.tenantName]: tenant.name,
      [annotations.appClusterId]: cluster.id,
      [annotations.boundBy]: callerId(caller),
      ...(cluster.uid === undefined ? {} : { [annotations.appClusterUid]: cluster.uid }),
    },
  };
}

/** Which of the wanted labels and annotations a namespace lacks. */
export function missing(
  { metadata }: Namespace,
  wanted: Required<Pick<ObjectMeta, 'labels' | 'annotations'>>,
): readonly string[] {
  return (['labels', 'annotations'] as const).flatMap((part) =>
    Object.entries(wanted[part]).flatMap(([key, value]) => (metadata[part]?.[key] === value ? [] : [key])),
  );
}

function judgeOwner(
  cluster: PresentedCluster,
  tenants: readonly Tenant[],
  claimed: readonly Namespace[],
): Registration {
  const owned = claimed.flatMap((namespace) => {
    const tenant = tenants.find((one) => one.identity === namespace.metadata.annotations?.[annotations.tenantIdentity]);
    return tenant ? [{ namespace, tenant }] : [];
  })[0];
  if (!owned) return refused('KLUTCH_CLUSTER_IDENTITY_TAKEN', ofAnotherTenant);
  const uid = owned.namespace.metadata.annotations?.[annotations.appClusterUid];
  if (uid !== undefined && cluster.uid !== undefined && uid !== cluster.uid) {
    return refused('KLUTCH_CLUSTER_IDENTITY_TAKEN', ofAnotherCluster(owned.namespace));
  }
  if (accessEnd(owned.namespace) === 'Revoked') return refused('KLUTCH_ACCESS_REVOKED', revoked(owned.namespace));
  return unlessEnding({ is: 'registered', ...owned });
}

function unlessEnding(registration: Extract<Registration, { readonly namespace: Namespace }>): Registration {
  const { metadata } = registration.namespace;
  if (!metadata.deletionTimestamp) return registration;
  const message = `Namespace ${metadata.name} of this app cluster is being removed. Try again when it is gone.`;
  return refused('KLUTCH_BACKEND_UNAVAILABLE', message);
}

function refused(code: ConstructorParameters<typeof KlutchError>[0], message: string): Registration {
  return { is: 'refused', error: new KlutchError(code, message) };
}

const ofAnotherTenant =
  'This app cluster is registered with another tenant. Bind as that tenant, or ask the operator to release it.';

const ofAnotherCluster = ({ metadata: { name } }: Namespace) =>
  `Another cluster is registered under this id, in namespace ${name}. If this cluster takes its place, the operator has to ` +
  `remove annotation ${annotations.appClusterUid} from that namespace first.`;

const revoked = ({ metadata: { name } }: Namespace) =>
  `The operator has taken all access from this app cluster, which is namespace ${name} of the control plane.`;

const foreign = ({ metadata: { name } }: Namespace) =>
  `Namespace ${name} of the control plane has the name of this app cluster but was not made for it. Nothing was changed.`;

const ambiguous = (namespaces: readonly Namespace[]) =>
  `Namespaces ${namespaces.map(({ metadata }) => metadata.name).join(' and ')} were both made for this app cluster by an ` +
  `earlier backend. The operator has to remove annotation ${annotations.identity} from those that are not in use.`;

function oldestFirst(namespaces: readonly Namespace[]): readonly Namespace[] {
  const age = ({ metadata }: Namespace) => `${metadata.creationTimestamp ?? ''}/${metadata.name ?? ''}`;
  return [...namespaces].sort((a, b) => (age(a) < age(b) ? -1 : 1));
}
