import { appCluster as names } from '@klutch/api';

export const Deployments = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
};
export const konnectorRef = { namespace: names.namespace, name: names.konnector };
export const konnectorRepository = 'public.ecr.aws/w5n9a2g2/klutch/konnector';

/** The konnector as `kubectl bind` of Go Klutch 1.5 installs it. */
export const goKonnector = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { ...konnectorRef, labels: { app: 'konnector' } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'konnector' } },
    template: {
      metadata: { labels: { app: 'konnector' } },
      spec: { containers: [{ name: 'konnector', image: `${konnectorRepository}:v1.5.0` }] },
    },
  },
};
