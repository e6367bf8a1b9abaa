import { readCatalogue } from './read-catalogue.ts';
import type { SourceFile } from './files/source.ts';

/** A catalogue with one of each: a service on two backends, and an operation on both. */
export const smallCatalogue: readonly SourceFile[] = [
  {
    path: 'services/cache.yaml',
    text: `
service: cache
kind: CacheInstance
displayName: Cache
description: Keeps things in memory.
defaultBackend: vm
versions:
  cache1: { backends: [vm, pod] }
  cache2: { backends: [vm] }
traits:
  size: { values: [small, big], change: grow }
  ssl: { values: ["no", "yes"], change: never }
plans:
  cache-small: { traits: { size: small } }
  cache-big: { traits: { size: big } }
  cache-big-ssl: { traits: { size: big, ssl: "yes" }, backends: [vm] }
fields:
  mode: { schema: { type: string, enum: [fast, safe] }, vm: spec.forProvider.mode, pod: ignored }
parameters:
  maxKeys: { schema: { type: integer, minimum: 1 }, vm: max_keys, pod: maxKeys }
backends:
  vm: { operations: [backup] }
  pod:
    base: { apiVersion: cache.example.org/v1, kind: Cache }
    patches:
      spec.storage: { trait: size, values: { small: 1Gi, big: 2Gi } }
    ready: object.status.ready == true
    operations: [backup]
`,
  },
  {
    path: 'backends/vm.yaml',
    text: `
backend: vm
displayName: Virtual machines
description: Behind a broker.
through: resource
instance:
  base: { apiVersion: vm.example.org/v1, kind: Instance, spec: { brokerRef: "{service}-broker" } }
  patches: { spec.forProvider.plan: spec.plan }
  parametersAt: spec.forProvider.parameters
  status: { state: status.atProvider.state }
operations:
  backup: { base: { apiVersion: vm.example.org/v1, kind: Backup } }
providerConfigs:
  broker: { apiVersion: vm.example.org/v1, kind: ProviderConfig, metadata: { name: "{service}-broker" } }
`,
  },
  {
    path: 'backends/pod.yaml',
    text: `
backend: pod
displayName: Pods
description: Behind an operator.
through: object
operations:
  backup: { base: { apiVersion: cache.example.org/v1, kind: Backup }, ready: object.status.done == true }
`,
  },
  {
    path: 'operations/backup.yaml',
    text: `
operation: backup
kind: Backup
displayName: Backup
description: A copy of the data.
defaultBackend: vm
fields:
  instanceRef: { schema: { type: string }, required: true, vm: spec.instance, pod: spec.instance }
  serviceInstanceType:
    schema: { type: string }
    required: true
    vm: { spec.brokerRef: { format: "%s-broker" } }
    pod: { spec.kind: { map: { cache: Cache } } }
`,
  },
];

/** What is wrong when an operator's layer says this, as people read it. */
export function problemsWith(layer: Readonly<Record<string, string>>): readonly string[] {
  const files = Object.entries(layer).map(([path, text]) => ({ path: `my/${path}.yaml`, text }));
  return readCatalogue([smallCatalogue, files]).problems.map(
    ({ file, line, column, message }) => `${file}:${line}:${column} ${message}`,
  );
}
