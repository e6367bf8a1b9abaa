import type { KubeObject, ResourceType } from '@klutch/kube';

/** A container, as far as this backend writes one. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly imagePullPolicy?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvVariable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources?: object;
  readonly securityContext?: object;
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
}

export interface EnvVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: unknown;
}

export interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly serviceAccountName: string;
        readonly securityContext?: object;
        readonly containers: readonly Container[];
      };
    };
  };
}

export const Deployments: ResourceType<Deployment> = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
};
