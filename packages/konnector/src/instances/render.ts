import { annotations, boundValue, finalizers } from '@klutch/api';
import { apiVersionOf, type ObjectRef, type UnknownObject } from '@klutch/kube';
import type { Tenant } from '../link/link.ts';
import type { BoundApi } from './bound-api.ts';
import { digestOf } from './canonical.ts';
import type { MetadataRules } from './metadata-rules.ts';
import { travellingMetadata } from './travelling-metadata.ts';

/** What rendering depends on besides the object. */
export interface RenderContext {
  readonly api: Pick<BoundApi, 'appType' | 'controlPlaneType' | 'isolation'>;
  readonly tenant: Tenant;
  readonly appClusterId: string;
  readonly metadata: MetadataRules;
}

/** Pure: the copy an original should have, with exactly the fields the konnector owns. */
export function wantedCopy(original: UnknownObject, ref: ObjectRef, context: RenderContext): UnknownObject {
  const { api, tenant, appClusterId } = context;
  const travelling = travellingMetadata(original.metadata, context.metadata);
  const copy: UnknownObject = {
    ...contentOf(original),
    apiVersion: apiVersionOf(api.controlPlaneType),
    kind: api.controlPlaneType.kind,
    metadata: {
      name: ref.name,
      ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }),
      ...(Object.keys(travelling.labels).length === 0 ? {} : { labels: travelling.labels }),
      annotations: {
        ...travelling.annotations,
        [annotations.bound]: boundValue,
        [annotations.clusterNamespace]: tenant.clusterNamespace,
        [annotations.sourceCluster]: appClusterId,
        [annotations.sourceUid]: original.metadata.uid ?? '',
      },
      // The garbage collector removes what a tenant leaves behind; within its namespace that needs no reference.
      ...(ref.namespace === undefined ? { ownerReferences: [namespaceReference(tenant)] } : {}),
    },
  };
  return withAnnotation(copy, annotations.applied, digestOf(copy));
}

/** Pure: the original to create in the app cluster for an object that exists only on the control plane. */
export function wantedOriginal(copy: UnknownObject, ref: ObjectRef, context: RenderContext): UnknownObject {
  const travelling = travellingMetadata(copy.metadata, context.metadata);
  return {
    ...contentOf(copy),
    apiVersion: apiVersionOf(context.api.appType),
    kind: context.api.appType.kind,
    metadata: {
      name: ref.name,
      ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }),
      ...(Object.keys(travelling.labels).length === 0 ? {} : { labels: travelling.labels }),
      annotations: { ...travelling.annotations, [annotations.bound]: boundValue },
      finalizers: [finalizers.syncer],
    },
  };
}

/** Everything that users and providers write, wherever the kind keeps it. */
function contentOf(object: UnknownObject): Readonly<Record<string, unknown>> {
  const { apiVersion: _, kind: __, metadata: ___, status: ____, ...content } = object;
  return content;
}

function namespaceReference({ clusterNamespace, uid }: Tenant) {
  return { apiVersion: 'v1', kind: 'Namespace', name: clusterNamespace, uid };
}

function withAnnotation(object: UnknownObject, key: string, value: string): UnknownObject {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [key]: value } } };
}
