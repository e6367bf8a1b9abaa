import { isDeepStrictEqual } from 'node:util';
import {
  type APIServiceExport,
  APIServiceExportReason,
  annotations,
  type ClusterScopedIsolation,
  type Condition,
  type ConditionState,
  ConditionType,
  type ExportedApi,
  falseCondition,
  type PermissionClaim,
  sourceSpecHash,
  trueCondition,
} from '@klutch/api';
import { nextConditions } from '../objects/next-conditions.ts';
import type { Offer, Refusal } from '../templates/catalogue.ts';
import { sameClaims } from './same-claims.ts';
import { exportMarks, type SourceApi } from './source-api.ts';

/** An export, and where it comes from. */
export interface Seen {
  readonly export: APIServiceExport;
  /** The CRD of the control plane; undefined when there is none to be seen. */
  readonly source: SourceApi | undefined;
  /** What the catalogue has for the tenant of the export. */
  readonly verdict: Offer | Refusal;
  /** Why the tenant has lost its right to the API, if that is certain. */
  readonly withdrawal: Refusal | undefined;
  /** For an API that has become cluster-scoped. */
  readonly isolation: ClusterScopedIsolation;
  readonly now: Date;
}

export type Decision =
  /** The CRD seems to be gone, and if it is, so must the export. */
  | { readonly is: 'gone' }
  | {
      readonly is: 'kept';
      /** Merge patch of the export itself. */
      readonly patch?: ExportPatch;
      /** For its status, when they change. */
      readonly conditions?: readonly Condition[];
    };

export interface ExportPatch {
  readonly metadata: { readonly annotations: Readonly<Record<string, string | null>> };
  readonly spec: object;
}

/**
 * What has to change so that an export says what its CRD and its template say. When the API is no longer offered to the
 * tenant, the export stays as it is and says so, since the data stays, too; the rights end elsewhere. While that is not
 * certain, the condition stays as it is.
 */
export function decide(seen: Seen): Decision {
  const { source } = seen;
  if (seen.export.metadata.deletionTimestamp !== undefined) return { is: 'kept' };
  if (source === undefined) return { is: 'gone' };
  if (source.problem !== undefined) return kept(seen, failed(source.problem));
  const obstacle = scopeObstacle(seen.export, source.api);
  if (obstacle !== undefined) return kept(seen, failed(obstacle));
  return kept(seen, stateOf(seen), patchTo(seen, source));
}

/** The conditions of an export whose patch the server refused as invalid. */
export function afterRefusal({ export: { status }, now }: Seen, message: string): readonly Condition[] | undefined {
  return nextConditions(status?.conditions, [failed(message)], now);
}

function stateOf({ export: { metadata }, verdict, withdrawal }: Seen): ConditionState | undefined {
  if (withdrawal !== undefined) return withdrawn(metadata.name ?? '', withdrawal);
  return typeof verdict === 'string' ? undefined : trueCondition(ConditionType.ProviderInSync);
}

function kept(seen: Seen, state: ConditionState | undefined, patch?: ExportPatch): Decision {
  const conditions = state && nextConditions(seen.export.status?.conditions, [state], seen.now);
  return { is: 'kept', ...(patch ? { patch } : {}), ...(conditions ? { conditions } : {}) };
}

function patchTo(seen: Seen, source: Extract<SourceApi, { hash: string }>): ExportPatch | undefined {
  const { metadata, spec } = seen.export;
  const { api, hash } = source;
  const marks = marksPatch(metadata.annotations ?? {}, exportMarks(source));
  const apiPart = sameApi(spec, api, hash) ? undefined : apiPatch(seen, api);
  const claims = typeof seen.verdict === 'string' ? spec.permissionClaims : seen.verdict.permissionClaims;
  const claimsPart = sameClaims(spec.permissionClaims, claims) ? undefined : claimsPatch(claims);
  if (!marks && !apiPart && !claimsPart) return undefined;
  return { metadata: { annotations: marks ?? {} }, spec: { ...apiPart, ...claimsPart } };
}

/** Undefined when the marks are what they should be. */
function marksPatch(
  present: Readonly<Record<string, string>>,
  desired: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> | undefined {
  const changed = Object.entries(desired).filter(([key, value]) => present[key] !== value);
  const gone = [annotations.serviceDescription].filter((key) => key in present && !(key in desired));
  if (changed.length + gone.length === 0) return undefined;
  return { ...Object.fromEntries(changed), ...Object.fromEntries(gone.map((key) => [key, null])) };
}

/** Compares what there is, not the digest that was noted: an edit by hand has to be undone. */
function sameApi(spec: APIServiceExport['spec'], api: ExportedApi, hash: string): boolean {
  const { group, names, scope, versions } = spec;
  const current = { group, names, scope, versions };
  return isDeepStrictEqual(current, api) || sourceSpecHash(current) === hash;
}

function apiPatch({ export: { spec }, isolation }: Seen, api: ExportedApi): object {
  // In a merge patch what is not named stays.
  const goneNames = Object.keys(spec.names).filter((field) => !(field in api.names));
  const clusterScopedIsolation = api.scope === 'Cluster' ? (spec.clusterScopedIsolation ?? isolation) : null;
  return {
    ...api,
    names: { ...Object.fromEntries(goneNames.map((field) => [field, null])), ...api.names },
    ...(spec.scope === api.scope ? {} : { clusterScopedIsolation }),
  };
}

function claimsPatch(claims: readonly PermissionClaim[] | undefined): object {
  return { permissionClaims: claims && claims.length > 0 ? claims : null };
}

/** How the konnector may watch is fixed when the export is made. */
function scopeObstacle({ spec }: APIServiceExport, api: ExportedApi): string | undefined {
  if (api.scope !== 'Cluster' || spec.informerScope === 'Cluster') return undefined;
  return (
    `The API has become cluster-scoped, but was exported for watches per namespace, which cannot be changed. ` +
    `Delete this export and bind the API again.`
  );
}

function failed(message: string): ConditionState {
  const reason = APIServiceExportReason.CustomResourceDefinitionUpdateFailed;
  return falseCondition(ConditionType.ProviderInSync, 'Error', reason, message);
}

function withdrawn(name: string, refusal: Refusal): ConditionState {
  const message = `${whyWithdrawn[refusal]} All data is kept, but app clusters of this tenant have no access to it. Offer ${name} to the tenant again, and it goes on by itself.`;
  return falseCondition(ConditionType.ProviderInSync, 'Error', APIServiceExportReason.EntitlementWithdrawn, message);
}

const whyWithdrawn: Readonly<Record<Refusal, string>> = {
  NotExported: 'No template offers this API any more.',
  NotEntitled: 'The template of this API no longer admits this tenant.',
  CRDNotFound: 'The API is being removed from the control plane.',
  ScopeRefused: 'This backend no longer exports cluster-scoped APIs.',
  ClaimsRefused: 'This backend lets app clusters see all namespaces, and exports no API with permission claims.',
};
