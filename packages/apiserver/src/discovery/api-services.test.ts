import { describe, expect, it } from 'vitest';
import { builtInResources } from '../kinds/index.ts';
import { createRegistry } from '../registry/registry.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { localApiServices } from './api-services.ts';

const widgets = {
  group: 'example.org',
  version: 'v1',
  resource: 'widgets',
  bucket: 'w',
  builtIn: false,
} as ServedResource;

describe('localApiServices', () => {
  const services = localApiServices(createRegistry([...builtInResources, widgets]));

  it('stand for what is served, with the ranks of Kubernetes', () => {
    expect(services.map(({ name, spec }) => [name, spec.groupPriorityMinimum, spec.versionPriority])).toEqual([
      ['v1.', 18000, 1],
      ['v1.apps', 17800, 15],
      ['v1.events.k8s.io', 17750, 15],
      ['v1.authentication.k8s.io', 17700, 15],
      ['v1.authorization.k8s.io', 17600, 15],
      ['v2.autoscaling', 17500, 30],
      ['v1.batch', 17400, 15],
      ['v1.networking.k8s.io', 17200, 15],
      ['v1.policy', 17100, 15],
      ['v1.rbac.authorization.k8s.io', 17000, 15],
      ['v1.storage.k8s.io', 16800, 15],
      ['v1.admissionregistration.k8s.io', 16700, 15],
      ['v1.apiextensions.k8s.io', 16700, 15],
      ['v1.scheduling.k8s.io', 16600, 15],
      ['v1.coordination.k8s.io', 16500, 15],
      ['v1.node.k8s.io', 16300, 15],
      ['v1.discovery.k8s.io', 16200, 15],
      ['v1.example.org', 1000, 100],
    ]);
  });

  it('are marked as those of the server', () => {
    expect(services.at(-1)).toMatchObject({
      labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' },
      spec: { group: 'example.org', version: 'v1' },
    });
    expect(services[0]?.spec).not.toHaveProperty('group');
  });
});
