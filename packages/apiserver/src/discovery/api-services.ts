import type { Registry } from '../registry/registry.ts';
import { apiGroups } from './api-groups.ts';

/** An APIService that stands for a group and version of this very server. */
export interface LocalApiService {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: {
    readonly group?: string;
    readonly version: string;
    readonly groupPriorityMinimum: number;
    readonly versionPriority: number;
  };
}

/** The APIServices that Kubernetes keeps for what it serves itself; the one of APIServices is not among them. */
export function localApiServices(registry: Registry): readonly LocalApiService[] {
  return apiGroups(registry)
    .filter(({ name }) => name !== 'apiregistration.k8s.io')
    .flatMap(({ name, priority, versions }) =>
      versions.map(({ version, resources }) => {
        const isBuiltIn = resources.some(({ builtIn }) => builtIn);
        return {
          name: `${version}.${name}`,
          labels: { 'kube-aggregator.kubernetes.io/automanaged': isBuiltIn ? 'onstart' : 'true' },
          spec: {
            ...(name === '' ? {} : { group: name }),
            version,
            groupPriorityMinimum: priority,
            versionPriority: name === '' ? 1 : isBuiltIn ? 15 * Number(version.slice(1)) : 100,
          },
        };
      }),
    );
}
