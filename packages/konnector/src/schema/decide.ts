import {
  annotations,
  type APIServiceBinding,
  type APIServiceExport,
  APIServiceExportReason,
  bindingOwnerReference,
  type ConditionState,
  ConditionType,
  crdOfExport,
  type CustomResourceDefinition,
  findCondition,
  isKlutchError,
  isOwnedByBinding,
} from '@klutch/api';
import type { BoundApi } from '../instances/bound-api.ts';
import { boundApiOf } from './bound-api-of.ts';
import { compareApis } from './compare/compare-apis.ts';
import { type Finding, verdictOf } from './compare/finding.ts';
import * as say from './conditions.ts';
import { crdMarks } from './crd-marks.ts';
import { otherOwners, ownershipOf } from './crd-ownership.ts';
import { isEstablished } from './established.ts';
import { apiDigest, withApi } from './exported-api.ts';
import { keptApi, keptMark } from './kept-api.ts';

/** What is known of one binding and its API. */
export interface Seen {
  readonly binding: APIServiceBinding;
  readonly apiExport: APIServiceExport | undefined;
  /** The CRD of that name in the app cluster, whoever made it. */
  readonly crd: CustomResourceDefinition | undefined;
  /** Whether the binding that the CRD names as its owner is known to exist no more. */
  readonly ownerIsGone: boolean;
  /** `<cluster namespace>/<UID>` of the tenant. */
  readonly tenant: string;
  /** UID that tells where the binding lives. */
  readonly home: string;
  /** What this process last said about `SchemaCompatible`; before that, the binding's status tells. */
  readonly said?: ConditionState;
  /**
   * To which digest the CRD came when it was last brought to the present export. API servers drop keywords they do not
   * know, so that it can differ from that of the export for good.
   */
  readonly settled?: { readonly wanted: string; readonly got: string };
}

export interface Decision {
  /** The CRD to create, or the one to put in the place of the present one, and the digest of the API in it. */
  readonly write?: {
    readonly type: 'create' | 'replace';
    readonly crd: CustomResourceDefinition;
    readonly digest: string;
  };
  /** What the binding has to say once the CRD is written. */
  readonly conditions: say.SchemaConditions;
  /** The API as it can be synchronised now. */
  readonly api?: BoundApi;
  /** Whether the CRD is this binding's. */
  readonly isOwn: boolean;
}

/** What to do so that the app cluster serves the exported API, and what to say about it. */
export function decide(seen: Seen): Decision {
  const decision = decideCrd(seen);
  const withdrawn = withdrawalOf(seen.apiExport);
  if (withdrawn === undefined || decision.conditions.Connected.status !== 'True') return decision;
  return {
    ...decision,
    conditions: { ...decision.conditions, Connected: say.withdrawn(withdrawn) },
    ...(decision.api ? { api: { ...decision.api, withdrawn } } : {}),
  };
}

/** Why the provider no longer offers the API to this tenant, in words for its users; undefined when it does. */
function withdrawalOf(apiExport: APIServiceExport | undefined): string | undefined {
  const { status, reason } = findCondition(apiExport?.status?.conditions, ConditionType.ProviderInSync) ?? {};
  if (status !== 'False' || reason !== APIServiceExportReason.EntitlementWithdrawn) return undefined;
  return say.whyWithdrawn(apiExport?.metadata.name ?? '');
}

function decideCrd(seen: Seen): Decision {
  const { crd, binding, apiExport } = seen;
  const ownership = crd && ownershipOf(crd, binding, seen);
  const isOwn = ownership === 'own';
  if (crd && ownership === 'foreign') return { conditions: say.foreign(crd, seen.tenant), isOwn };
  const wanted = wantedOf(seen);
  if ('problem' in wanted) {
    // Nothing can be compared, but users can still delete their objects.
    const api = crd && isOwn && isEstablished(crd) ? boundApiOf(binding, crd, undefined) : undefined;
    return { conditions: wanted.problem, api, isOwn };
  }
  if (crd === undefined) {
    const { digest } = wanted;
    const created = replacementOf(wanted.crd, seen, wanted, { spec: wanted.crd.spec, digest });
    const conditions = say.inSync(binding, wanted.crd, say.takenOver([], digest, undefined));
    return { write: { type: 'create', crd: created ?? wanted.crd, digest }, conditions, isOwn };
  }
  if (crd.metadata.deletionTimestamp !== undefined) {
    const api = isOwn ? boundApiOf(binding, crd, apiExport) : undefined;
    return { conditions: say.terminating(binding, crd), api, isOwn };
  }
  return bringToExport(seen, crd, wanted, isOwn);
}

interface Wanted {
  /** As the export says, without marks. */
  readonly crd: CustomResourceDefinition;
  /** Of the exported API. */
  readonly digest: string;
  readonly apiExport: APIServiceExport;
}

function wantedOf({ apiExport, binding }: Seen): Wanted | { readonly problem: say.SchemaConditions } {
  if (apiExport === undefined) return { problem: say.exportNotFound(binding.metadata.name ?? '') };
  try {
    const crd = crdOfExport(apiExport);
    return { crd, digest: apiDigest(crd.spec), apiExport };
  } catch (error) {
    if (!isKlutchError(error, 'KLUTCH_EXPORT_INVALID')) throw error;
    return { problem: say.exportInvalid(error.message) };
  }
}

function bringToExport(seen: Seen, crd: CustomResourceDefinition, wanted: Wanted, isOwn: boolean): Decision {
  const { binding, apiExport, settled } = seen;
  const { digest } = wanted;
  const present = apiDigest(crd.spec);
  const same = present === digest || (settled?.wanted === digest && settled.got === present);
  const broughtTo = crd.metadata.annotations?.[annotations.schema];
  // While a change is held back, the CRD remembers what it has to serve, whatever somebody made of it.
  const kept = isOwn ? keptApi(crd) : undefined;
  const keptDigest = kept && apiDigest(kept);
  // The CRD was brought to this very export before, so whatever differs is an edit by somebody else.
  const isUnchanged = kept ? keptDigest === digest : same || (isOwn && broughtTo === digest);
  const change: readonly Finding[] = isUnchanged
    ? []
    : compareApis(kept ?? crd.spec, wanted.crd.spec, crd.status?.storedVersions ?? []);
  const isAccepted = binding.metadata.annotations?.[annotations.acceptSchema] === digest;
  const isHeld = verdictOf(change) === 'breaking' && !isAccepted;
  const replacement = isHeld
    ? replacementOf(crd, seen, wanted, {
        spec: kept && keptDigest !== present ? withApi(crd.spec, kept) : crd.spec,
        digest: broughtTo,
        kept: kept ? crd.metadata.annotations?.[annotations.keptSchema] : keptMark(crd.spec),
      })
    : replacementOf(crd, seen, wanted, { spec: same ? crd.spec : withApi(crd.spec, wanted.crd.spec), digest });
  const said = seen.said ?? findCondition(binding.status?.conditions, 'SchemaCompatible');
  const conditions = isHeld
    ? say.held(binding, change, digest)
    : say.inSync(binding, crd, say.takenOver(change, digest, said));
  const isServed = isOwn && isEstablished(crd);
  const api = isServed ? boundApiOf(binding, crd, apiExport) : undefined;
  const isCut = isServed && api === undefined;
  return {
    ...(replacement ? { write: { type: 'replace', crd: replacement, digest } } : {}),
    conditions: isCut ? { ...conditions, Connected: say.nothingInCommon(crd.metadata.name ?? '') } : conditions,
    api,
    isOwn,
  };
}

/** The CRD as the binding needs it, with everything on it that others put there; undefined when it is so already. */
function replacementOf(
  crd: CustomResourceDefinition,
  seen: Seen,
  wanted: Wanted,
  {
    spec,
    digest,
    kept,
  }: { readonly spec: CustomResourceDefinition['spec']; readonly digest?: string; readonly kept?: string },
): CustomResourceDefinition | undefined {
  const { binding } = seen;
  const marks = { ...crdMarks(seen, wanted.apiExport), [annotations.schema]: digest, [annotations.keptSchema]: kept };
  const present = crd.metadata.annotations ?? {};
  const isMarked = Object.entries(marks).every(([key, value]) => present[key] === value);
  const isOwned = isOwnedByBinding(crd, binding);
  if (spec === crd.spec && isMarked && isOwned) return undefined;
  return {
    ...crd,
    metadata: {
      ...crd.metadata,
      annotations: withoutUndefined({ ...present, ...marks }),
      ownerReferences: isOwned ? crd.metadata.ownerReferences : [...otherOwners(crd), bindingOwnerReference(binding)],
    },
    spec,
  };
}

function withoutUndefined(marks: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(marks).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  );
}
