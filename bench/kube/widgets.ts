import type { ResourceType, UnknownObject } from '@klutch/kube';

/** Objects of about 3 KB as the server sends them, with the shape of a service claim: annotations, spec, conditions. */
export const Widgets: ResourceType = {
  group: 'bench.klutch.example',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  namespaced: true,
};

export const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.bench.klutch.example' },
  spec: {
    group: 'bench.klutch.example',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

export function widget(namespace: string, index: number): UnknownObject {
  const parameters = Object.fromEntries(
    Array.from({ length: 17 }, (_, i) => [
      `parameter-${i}`,
      `value ${i} of widget ${index}, long enough to be realistic`,
    ]),
  );
  const condition = (type: string) => ({
    type,
    status: 'True',
    reason: 'Available',
    message: `Everything that ${type} stands for is as it should be for widget ${index}.`,
    lastTransitionTime: '2026-01-31T12:00:00Z',
  });
  return {
    apiVersion: 'bench.klutch.example/v1',
    kind: 'Widget',
    metadata: {
      namespace,
      name: `widget-${String(index).padStart(5, '0')}`,
      labels: { app: 'bench', index: String(index) },
      annotations: { 'bench.klutch.example/note': `Created by the benchmark as number ${index}` },
    },
    spec: { service: 'a9s-postgresql15', plan: 'postgresql-single-nano', expose: 'Internal', parameters },
    status: { managed: { state: 'available' }, conditions: ['Ready', 'Synced', 'Healthy'].map(condition) },
  };
}
