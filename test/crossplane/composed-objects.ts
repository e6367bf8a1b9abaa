import type { Composition } from '@klutch/catalog';
import { eventually, type PlaneAccess } from '@klutch/kit';
import { send } from './send.ts';

/** A kind that Compositions compose. */
export interface ComposedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The kinds that Compositions compose, each once. */
export function composedKindsOf(compositions: readonly Composition[]): readonly ComposedKind[] {
  const types = compositions
    .flatMap(({ spec }) => spec.pipeline[0].input.resources)
    .map(({ base }) => `${String(base['apiVersion'])}/${String(base['kind'])}`);
  return [...new Set(types)].map((type) => {
    const [group = '', version = '', kind = ''] = type.split('/');
    return { group, version, kind };
  });
}

/** Installs a kind that takes everything and that nobody provides. */
export async function installKind(plane: PlaneAccess, { group, version, kind }: ComposedKind): Promise<void> {
  const plural = pluralOf(kind);
  const name = `${plural}.${group}`;
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  await send(plane, 'PATCH', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group,
      names: { kind, plural },
      scope: 'Cluster',
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: anything } }],
    },
  });
  const served = async () => (await plane.admin.request('GET', `/apis/${group}/${version}/${plural}`)).status === 200;
  await eventually(served, { what: `${name} is served` });
}

/** What was composed for the claims of a namespace, by claim and template. */
export async function composedObjects(
  plane: PlaneAccess,
  kinds: readonly ComposedKind[],
  namespace: string,
): Promise<ReadonlyMap<string, Readonly<Record<string, object>>>> {
  const selector = encodeURIComponent(`crossplane.io/claim-namespace=${namespace}`);
  const objects = new Map<string, Record<string, object>>();
  for (const { group, version, kind } of kinds) {
    const path = `/apis/${group}/${version}/${pluralOf(kind)}?labelSelector=${selector}`;
    for (const object of (await send<{ readonly items: readonly Composed[] }>(plane, 'GET', path)).items) {
      const { labels, annotations } = object.metadata;
      const claim = labels['crossplane.io/claim-name'] ?? '';
      const template = annotations['crossplane.io/composition-resource-name'] ?? '';
      objects.set(claim, { ...objects.get(claim), [template]: object });
    }
  }
  return objects;
}

interface Composed {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
}

function pluralOf(kind: string): string {
  return `${kind.toLowerCase()}s`;
}
