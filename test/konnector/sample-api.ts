import { apiName, type CustomResourceDefinition, exportedApi } from '@klutch/api';
import type { ResourceType } from '@klutch/kube';
import { unique } from './clusters.ts';

/** An API made for one test, so that tests can share clusters. */
export interface SampleApi {
  /** `<plural>.<group>`. */
  readonly name: string;
  readonly type: ResourceType;
  readonly crd: CustomResourceDefinition;
  readonly exported: ReturnType<typeof exportedApi>;
}

export interface SampleApiOptions {
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Default true. */
  readonly statusSubresource?: boolean;
  /** Properties of `spec` in addition to `size`, `tags`, `plan` and `params`. */
  readonly properties?: Readonly<Record<string, object>>;
  /** Served versions, the first of which is stored. Default `['v1']`. */
  readonly versions?: readonly string[];
  readonly group?: string;
}

/** A small data service: `spec.size`, `spec.tags`, `spec.plan`, `spec.params`; `status` free except for conditions. */
export function sampleApi(options: SampleApiOptions = {}): SampleApi {
  const { scope = 'Namespaced', statusSubresource = true, versions = ['v1'], properties = {} } = options;
  const group = options.group ?? `${unique('t')}.example.org`;
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            size: { type: 'integer', minimum: 1 },
            plan: { type: 'string' },
            tags: { type: 'array', items: { type: 'string' } },
            params: { type: 'object', additionalProperties: { type: 'string' } },
            resourceRef: { type: 'object', properties: { name: { type: 'string' } } },
            ...properties,
          },
        },
        status: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: {
            conditions: {
              type: 'array',
              items: {
                type: 'object',
                required: ['type', 'status'],
                properties: {
                  type: { type: 'string' },
                  status: { type: 'string' },
                  reason: { type: 'string' },
                  message: { type: 'string' },
                  lastTransitionTime: { type: 'string', format: 'date-time' },
                },
              },
            },
          },
        },
      },
    },
  };
  const crd: CustomResourceDefinition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: apiName({ group, resource: names.plural }) },
    spec: {
      group,
      names,
      scope,
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema,
        ...(statusSubresource ? { subresources: { status: {} } } : {}),
      })),
    },
  };
  const type: ResourceType = {
    group,
    version: versions[0] ?? 'v1',
    plural: names.plural,
    kind: names.kind,
    namespaced: scope === 'Namespaced',
  };
  return { name: crd.metadata.name ?? '', type, crd, exported: exportedApi(crd) };
}
