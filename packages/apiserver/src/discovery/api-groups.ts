import type { Registry } from '../registry/registry.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { compareKubeVersions } from './kube-version.ts';

/** An API group with what it serves, in the order in which clients are told of it. */
export interface ApiGroup {
  /** Empty for core. */
  readonly name: string;
  readonly priority: number;
  /** The preferred one first. */
  readonly versions: readonly ApiVersion[];
}

export interface ApiVersion {
  readonly version: string;
  /** By plural. */
  readonly resources: readonly ServedResource[];
}

/** Rank of groups in Kubernetes: those that clients should look at first have the highest. */
const PRIORITIES: Readonly<Record<string, number>> = {
  'apiregistration.k8s.io': 20000,
  '': 18000,
  apps: 17800,
  'events.k8s.io': 17750,
  'authentication.k8s.io': 17700,
  'authorization.k8s.io': 17600,
  autoscaling: 17500,
  batch: 17400,
  'networking.k8s.io': 17200,
  policy: 17100,
  'rbac.authorization.k8s.io': 17000,
  'storage.k8s.io': 16800,
  'admissionregistration.k8s.io': 16700,
  'apiextensions.k8s.io': 16700,
  'scheduling.k8s.io': 16600,
  'coordination.k8s.io': 16500,
  'node.k8s.io': 16300,
  'discovery.k8s.io': 16200,
};

/** Custom resources come last. */
const CUSTOM_PRIORITY = 1000;

const remembered = new WeakMap<Registry, { readonly generation: number; readonly groups: readonly ApiGroup[] }>();

/** All groups, core included, highest priority first. */
export function apiGroups(registry: Registry): readonly ApiGroup[] {
  const known = remembered.get(registry);
  if (known?.generation === registry.generation) return known.groups;
  const groups = groupsOf(registry.all());
  remembered.set(registry, { generation: registry.generation, groups });
  return groups;
}

function groupsOf(resources: readonly ServedResource[]): readonly ApiGroup[] {
  return [...groupBy(resources, ({ group }) => group)]
    .map(([name, members]) => ({ name, priority: PRIORITIES[name] ?? CUSTOM_PRIORITY, versions: versionsOf(members) }))
    .sort((a, b) => b.priority - a.priority || inOrder(a.name, b.name));
}

function versionsOf(resources: readonly ServedResource[]): readonly ApiVersion[] {
  return [...groupBy(resources, ({ version }) => version)]
    .map(([version, members]) => ({ version, resources: members.sort((a, b) => inOrder(a.resource, b.resource)) }))
    .sort((a, b) => compareKubeVersions(a.version, b.version));
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const members = groups.get(keyOf(item));
    if (members) members.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
