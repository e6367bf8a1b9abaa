import {
  type AcceptablePermissionClaim,
  type CustomResourceDefinition,
  exportedApi,
  type PermissionClaim,
} from '@klutch/api';
import { type SampleApi, unique } from '../konnector/world.ts';
import { createCast } from './cast.ts';
import { theRequest } from './recording.ts';

/** The API of the recordings, in a group that no other test uses. */
export interface RecordedApi extends SampleApi {
  readonly group: string;
  readonly hasStatusSubresource: boolean;
  /** As it is after "schema gains a field". */
  readonly extended: SampleApi;
  readonly claims: readonly PermissionClaim[];
  readonly acceptedClaims: readonly AcceptablePermissionClaim[];
}

export interface RecordedApiOptions {
  /** The API as if its CRD had no status subresource. */
  readonly withoutStatusSubresource?: boolean;
}

/** Reads the API off what the Go components said about it. */
export function recordedApi({ withoutStatusSubresource = false }: RecordedApiOptions = {}): RecordedApi {
  const sampleOf = withoutStatusSubresource ? (body: unknown, of: string) => sample(withoutStatus(body), of) : sample;
  const group = `${unique('r')}.example.org`;
  const cast = createCast({ 'example.org': group, 'widgets.example.org': `widgets.${group}` });
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const first = theRequest('go-konnector.app-cluster', { verb: 'create', uri: crds, step: 'CLI binds' });
  const last = theRequest('go-konnector.app-cluster', {
    verb: 'update',
    uri: `${crds}/widgets.example.org`,
    step: 'schema gains a field',
  });
  const exported = theRequest('go-backend.control-plane', {
    verb: 'create',
    uri: '/apis/klutch.anynines.com/v1alpha1/namespaces/<tenant-namespace>/apiserviceexports',
  });
  const { permissionClaims: claims = [] } = (exported.body?.['spec'] ?? {}) as { permissionClaims?: PermissionClaim[] };
  return {
    ...sampleOf(cast.valueOf(first.body), group),
    group,
    hasStatusSubresource: !withoutStatusSubresource,
    extended: sampleOf(cast.valueOf(last.body), group),
    claims,
    acceptedClaims: claims.map((claim) => ({ ...claim, state: 'Accepted' })),
  };
}

function sample(body: unknown, group: string): SampleApi {
  const { apiVersion, kind, metadata, spec } = body as CustomResourceDefinition;
  const crd: CustomResourceDefinition = { apiVersion, kind, metadata: { name: metadata.name }, spec };
  const type = { group, version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
  return { name: metadata.name ?? '', type, crd, exported: exportedApi(crd) };
}

/** A CRD, or an export, whose versions have no subresources. */
export function withoutStatus(body: unknown): CustomResourceDefinition {
  const crd = body as CustomResourceDefinition;
  const versions = crd.spec.versions.map((version) => ({ ...version, subresources: undefined }));
  return { ...crd, spec: { ...crd.spec, versions } };
}
