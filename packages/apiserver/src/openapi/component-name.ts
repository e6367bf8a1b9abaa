import type { ServedResource } from '../registry/served-resource.ts';

/** Packages of built-in kinds in the names of their schemas. */
const PACKAGES: Readonly<Record<string, string>> = {
  '': 'io.k8s.api.core',
  apps: 'io.k8s.api.apps',
  'apiextensions.k8s.io': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
  'apiregistration.k8s.io': 'io.k8s.kube-aggregator.pkg.apis.apiregistration',
  'authentication.k8s.io': 'io.k8s.api.authentication',
  'authorization.k8s.io': 'io.k8s.api.authorization',
  'coordination.k8s.io': 'io.k8s.api.coordination',
  'networking.k8s.io': 'io.k8s.api.networking',
  'rbac.authorization.k8s.io': 'io.k8s.api.rbac',
};

/** Name of the schema of a kind, as Kubernetes would call it: `io.k8s.api.apps.v1.Deployment`, `org.example.v1.Widget`. */
export function componentName({ group, version, builtIn }: ServedResource, kind: string): string {
  const known = builtIn ? PACKAGES[group] : undefined;
  return `${known ?? group.split('.').reverse().join('.')}.${version}.${kind}`;
}

/** Reference to a schema of the same document. */
export function refTo(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
