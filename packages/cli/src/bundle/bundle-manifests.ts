import { createHash } from 'node:crypto';
import {
  type AcceptablePermissionClaim,
  annotations,
  apiServiceBindingCrd,
  bundleNames,
  type Enrolment,
  enrolmentSecret,
  labels,
} from '@klutch/api';
import { guardRules } from '@klutch/konnector';
import type { UnknownObject } from '@klutch/kube';
import { bindingManifest } from '../bind/bind-plan.ts';
import { konnectorManifests, konnectorRights } from '../manifests/konnector-manifests.ts';
import { servedFor } from '../manifests/served-by-konnector.ts';
import { guardManifests } from './guard-manifests.ts';

/** Everything that a bundle is made of. */
export interface Bundle {
  readonly enrolment: Enrolment;
  /** By name of the API; permission claims with their decisions. */
  readonly claims: ReadonlyMap<string, readonly AcceptablePermissionClaim[]>;
  /** Image of the konnector; undefined: the cluster has a konnector, and its rights are somebody else's business. */
  readonly image?: string;
  /** What happens with the objects of an API when its binding is deleted; undefined: they are kept. */
  readonly onUnbind?: OnUnbind;
  /** Whether a policy keeps the konnector until everything has ended; needs Kubernetes 1.30. */
  readonly isGuarded: boolean;
}

export type OnUnbind = 'Keep' | 'Remove' | 'Delete';

/**
 * Pure: the id of a bundle, and with it the names of what is in it. The same backend and cluster id yield the same id, so that a
 * bundle that is made again takes the place of the one before.
 */
export function bundleId(backendUrl: string, clusterId: string): string {
  return createHash('sha256').update(`${backendUrl}\n${clusterId}`).digest('hex').slice(0, 10);
}

/**
 * Pure: all objects of a bundle, in an order in which one run of `kubectl apply` brings up most of it. Nothing in them is set
 * by an API server or a konnector, so that applying them again changes nothing.
 */
export function bundleManifests(bundle: Bundle): readonly UnknownObject[] {
  const { enrolment, claims, image, onUnbind, isGuarded } = bundle;
  const { id } = enrolment;
  const { guard, role, kubeconfigSecret } = bundleNames(id);
  const bindings = [...claims.keys()].map((api) =>
    withPolicy(bindingManifest({ claims }, api, kubeconfigSecret), onUnbind),
  );
  const { namespace, workload } = konnectorManifests({ image: image ?? '', apis: [], claims: [] });
  const own = { name: role, labels: { [labels.enrolment]: id }, rules: isGuarded ? guardRules(guard) : [] };
  const konnector = [...konnectorRights(servedFor(bindings), own), ...workload];
  return [
    namespace,
    apiServiceBindingCrd,
    ...(image === undefined ? [] : konnector),
    ...(image === undefined || !isGuarded ? [] : guardManifests(id)),
    enrolmentSecret(enrolment),
    ...bindings,
  ] as unknown as readonly UnknownObject[];
}

function withPolicy<T extends { readonly metadata: object }>(binding: T, onUnbind: OnUnbind | undefined): T {
  if (onUnbind === undefined) return binding;
  return { ...binding, metadata: { ...binding.metadata, annotations: { [annotations.onUnbind]: onUnbind } } };
}
