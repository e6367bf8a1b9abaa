import {
  annotations,
  type APIServiceBinding,
  APIServiceBindings,
  type APIServiceExport,
  type APIServiceExportRequest,
  APIServiceExportRequests,
  APIServiceExports,
  AppClusterBindingReason,
  apiName,
  apiVersion,
  ConditionType,
  type ConditionState,
  derivedExportRequestName,
  falseCondition,
  trueCondition,
} from '@klutch/api';
import type { Offer, Refusal } from '../templates/catalogue.ts';
import { bindingLabels, isDerivedFrom, type StoredBinding } from './binding-labels.ts';
import { claimDecisions } from './claims.ts';
import { covers } from './covers.ts';
import { deletionOf, type Step, type Write } from './decision.ts';

/** What there is of the APIs that a binding exports. */
export interface ExportsSeen {
  /** For each API that the binding wants, by name: its offer, or why there is none. */
  readonly offers: ReadonlyMap<string, Offer | Refusal>;
  /** All in the root namespace. */
  readonly bindings: readonly APIServiceBinding[];
  readonly exports: readonly APIServiceExport[];
  readonly requests: readonly APIServiceExportRequest[];
}

/** Pure: bindings, requests and exports in the root namespace follow what the AppClusterBinding lists. */
export function decideExports(binding: StoredBinding, root: string, seen: ExportsSeen): Step {
  const offers = [...seen.offers.values()].filter((offer) => typeof offer === 'object');
  return {
    condition: ConditionType.ExportsReady,
    failure: AppClusterBindingReason.WriteFailed,
    writes: [
      ...offers.flatMap((offer) => bindingWrites(binding, root, offer, seen)),
      ...offers.flatMap((offer) => requestWrites(binding, root, offer, seen)),
      ...removals(binding, seen),
    ],
    verdict: verdictOf(binding, offers, seen),
    isVital: false,
  };
}

function bindingWrites(binding: StoredBinding, root: string, offer: Offer, seen: ExportsSeen): readonly Write[] {
  const { name, key } = binding.spec.kubeconfigSecretRef;
  const actual = seen.bindings.find(({ metadata }) => metadata.name === offer.name);
  const onUnbind = binding.metadata.annotations?.[annotations.onUnbind];
  const metadata = {
    labels: bindingLabels(binding.metadata),
    ...(onUnbind ? { annotations: { [annotations.onUnbind]: onUnbind } } : {}),
  };
  const claims = claimDecisions(binding)?.decide(offer.permissionClaims);
  const spec = {
    kubeconfigSecretRef: { name, key, namespace: root },
    ...(claims ? { permissionClaims: claims } : {}),
  };
  if (!actual) {
    const object = {
      apiVersion,
      kind: 'APIServiceBinding',
      metadata: { ...metadata, name: offer.name, namespace: root },
      spec,
    };
    return [{ verb: 'create', type: APIServiceBindings, object }];
  }
  if (actual.metadata.deletionTimestamp || covers(actual, { metadata, spec })) return [];
  // A patch, not an apply: claims that somebody has decided by hand stay, unless the annotation decides them.
  return [
    { verb: 'patch', type: APIServiceBindings, ref: { namespace: root, name: offer.name }, patch: { metadata, spec } },
  ];
}

function requestWrites(binding: StoredBinding, root: string, offer: Offer, seen: ExportsSeen): readonly Write[] {
  if (seen.exports.some(({ metadata }) => metadata.name === offer.name)) return [];
  const open = requestsFor(offer.name, seen);
  if (open.length > 0) {
    // An export that vanished after its request was fulfilled is asked for again.
    return open
      .filter((request) => request.status?.phase === 'Succeeded' && isDerivedFrom(request, binding.metadata))
      .map(removal);
  }
  const object: APIServiceExportRequest = {
    apiVersion,
    kind: 'APIServiceExportRequest',
    metadata: {
      name: derivedExportRequestName(binding.metadata.name, offer.name),
      namespace: root,
      labels: bindingLabels(binding.metadata),
    },
    spec: { resources: [{ group: offer.group, resource: offer.resource }] },
  };
  return [{ verb: 'create', type: APIServiceExportRequests, object }];
}

/** What is listed no more goes, the export last: until the konnector has let go of the binding it needs its rights. */
function removals(binding: StoredBinding, { offers, bindings, exports, requests }: ExportsSeen): readonly Write[] {
  const isUnwanted = (name: string | undefined) => !offers.has(name ?? '');
  const stale = bindings.filter((one) => isUnwanted(one.metadata.name) && isDerivedFrom(one, binding.metadata));
  const bound = new Set(bindings.map(({ metadata }) => metadata.name));
  return [
    ...stale.filter(({ metadata }) => !metadata.deletionTimestamp).map((one) => deletionOf(APIServiceBindings, one)),
    ...requests
      .filter((request) => isDerivedFrom(request, binding.metadata) && apisOf(request).every(isUnwanted))
      .map(removal),
    ...exports
      .filter(({ metadata }) => isUnwanted(metadata.name) && !bound.has(metadata.name) && !metadata.deletionTimestamp)
      .map((one) => deletionOf(APIServiceExports, one)),
  ];
}

const refusals: Readonly<Record<Refusal, string>> = {
  NotExported: 'no template offers it',
  CRDNotFound: 'the control plane has no such CustomResourceDefinition',
  NotEntitled: 'its template does not offer it to the tenant of this namespace',
  ScopeRefused: 'it is cluster-scoped, and this backend exports namespaced APIs only',
  ClaimsRefused: 'it has permission claims, which cannot be granted where app clusters see all namespaces',
};

function verdictOf(binding: StoredBinding, offers: readonly Offer[], seen: ExportsSeen): ConditionState {
  const { ExportFailed, ExportsPending } = AppClusterBindingReason;
  const problems = [...seen.offers].flatMap(([name, offer]) => problemOf(name, offer, seen));
  if (problems.length > 0) {
    return falseCondition(ConditionType.ExportsReady, 'Error', ExportFailed, `${problems.join('; ')}.`);
  }
  const missing = offers.filter(({ name }) => !seen.exports.some(({ metadata }) => metadata.name === name));
  if (missing.length > 0) {
    const message = `Exports are under way: ${missing.map(({ name }) => name).join(', ')}.`;
    return falseCondition(ConditionType.ExportsReady, 'Info', ExportsPending, message);
  }
  const claims = offers.flatMap(({ permissionClaims }) => permissionClaims);
  const unknown = claimDecisions(binding)?.unknown(claims) ?? [];
  if (unknown.length > 0) {
    const message = `The annotation ${annotations.acceptClaims} names what no template claims: ${unknown.join(', ')}. Claims are named <resource>.<group>, such as secrets.`;
    return falseCondition(ConditionType.ExportsReady, 'Warning', ExportFailed, message);
  }
  return trueCondition(ConditionType.ExportsReady);
}

function problemOf(name: string, offer: Offer | Refusal, seen: ExportsSeen): readonly string[] {
  if (typeof offer === 'string') return [`${name}: ${refusals[offer]}`];
  if (seen.exports.some(({ metadata }) => metadata.name === name)) return [];
  const failed = requestsFor(name, seen).find(({ status }) => status?.phase === 'Failed');
  return failed ? [`${name}: ${(failed.status?.terminalMessage ?? 'the request failed').replace(/\.$/, '')}`] : [];
}

function requestsFor(name: string, { requests }: ExportsSeen): readonly APIServiceExportRequest[] {
  return requests.filter((request) => apisOf(request).includes(name));
}

function apisOf({ spec }: APIServiceExportRequest): readonly string[] {
  return spec.resources.map((resource) => apiName(resource));
}

function removal(request: APIServiceExportRequest): Write {
  return deletionOf(APIServiceExportRequests, request);
}
